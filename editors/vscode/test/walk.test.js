// A modder's way through the language server of the real program, message by message, as an editor sends them.

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const test = require('node:test')
const { spawn } = require('node:child_process')
const { pathToFileURL } = require('node:url')
const protocol = require('vscode-languageserver-protocol/node')

const root = path.join(__dirname, '../../..')
const program = process.env.HOUSERULE ?? path.join(root, 'target/debug/houserule')

const manifest = 'name = "wolves"\nversion = "1.0"\nlanguage = 1\nextends = "wood"\n'
const card = '[[card]]\nid = "white_wolf"\nkind = "wolf"\nheight = 2\nage = 1\nset = "base"\n'

test('a modder opens a pack, writes a card, sees a fault, mends it, looks, completes, finds and formats', { timeout: 60000 }, async t => {
  // The small game of the grammar's examples, and a pack for it.
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'houserule-walk-'))
  const pack = path.join(home, 'packs/wolves')
  for (const folder of ['rules', 'cards/wood', 'packs/wolves/cards']) fs.mkdirSync(path.join(home, folder), { recursive: true })
  fs.copyFileSync(path.join(root, 'grammar/example.rules'), path.join(home, 'rules/wood.rules'))
  fs.copyFileSync(path.join(root, 'grammar/example.toml'), path.join(home, 'cards/wood/cards.toml'))
  fs.writeFileSync(path.join(pack, 'pack.toml'), manifest)
  const file = path.join(pack, 'cards/wolves.toml')
  fs.writeFileSync(file, card)

  const child = spawn(program, ['lsp'], { cwd: home, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => {
    child.kill()
    fs.rmSync(home, { recursive: true })
  })
  const server = protocol.createProtocolConnection(new protocol.StreamMessageReader(child.stdout), new protocol.StreamMessageWriter(child.stdin))
  const waiting = []
  let last
  server.onNotification(protocol.PublishDiagnosticsNotification.type, told => {
    if (!told.uri.endsWith('wolves.toml')) return
    last = told.diagnostics
    for (const one of waiting.splice(0)) one()
  })
  // Waits until what is told of the card's file is as expected.
  const until = async (what, holds) => {
    const end = Date.now() + 30000
    while (!(last && holds(last))) {
      assert.ok(Date.now() < end, `${what}; last told: ${JSON.stringify(last)}`)
      await Promise.race([new Promise(resolve => waiting.push(resolve)), new Promise(resolve => setTimeout(resolve, 200))])
    }
  }
  server.listen()
  const started = await server.sendRequest(protocol.InitializeRequest.type, { processId: process.pid, rootUri: pathToFileURL(home).href, capabilities: {} })
  assert.ok(started.capabilities.hoverProvider && started.capabilities.definitionProvider && started.capabilities.completionProvider)
  await server.sendNotification(protocol.InitializedNotification.type, {})

  const uri = pathToFileURL(file).href
  let version = 1
  const change = async text => {
    last = undefined
    await server.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: ++version }, contentChanges: [{ text }] })
  }
  const at = (text, needle, inside = 1) => {
    const before = text.slice(0, text.indexOf(needle) + inside).split('\n')
    return { line: before.length - 1, character: before.at(-1).length }
  }

  await server.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'toml', version, text: card } })

  // An effect, with a slip in its condition.
  const wrong = `${card}\n[[card.on]]\nwhen = "dusk"\nif = "wips > 2"\ndo = "gain(me, wisp, 1)"\n`
  await change(wrong)
  await until('the slip is told at its place', all => all.some(one => one.message.includes('wips') && one.range.start.line === wrong.split('\n').findIndex(line => line.includes('wips'))))
  const mended = wrong.replace('wips', 'wisp')
  await change(mended)
  await until('nothing is wrong any more', all => all.every(one => one.severity !== protocol.DiagnosticSeverity.Error))

  const hover = await server.sendRequest(protocol.HoverRequest.type, { textDocument: { uri }, position: at(mended, 'gain(') })
  assert.match(JSON.stringify(hover.contents), /gains a number of a resource/)

  const unfinished = mended.replace('gain(me', 'ga')
  await change(unfinished)
  const offered = await server.sendRequest(protocol.CompletionRequest.type, { textDocument: { uri }, position: at(unfinished, '"ga', 3) })
  const labels = (Array.isArray(offered) ? offered : offered.items).map(item => item.label)
  assert.ok(labels.some(label => label.startsWith('gain')), labels.join(' '))
  await change(mended)

  const found = await server.sendRequest(protocol.DefinitionRequest.type, { textDocument: { uri }, position: at(mended, '"dusk"', 2) })
  const place = Array.isArray(found) ? found[0] : found
  assert.ok(place.uri.endsWith('rules/wood.rules'), JSON.stringify(found))
  assert.match(fs.readFileSync(new URL(place.uri), 'utf8').split('\n')[place.range.start.line], /dusk/)

  await change(mended.replace('height = 2', 'height   =    2'))
  const edits = await server.sendRequest(protocol.DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } })
  assert.ok(edits.length > 0)
  await server.sendRequest(protocol.ShutdownRequest.type)
  const ended = new Promise(resolve => child.once('exit', resolve))
  await server.sendNotification(protocol.ExitNotification.type)
  assert.strictEqual(await ended, 0)
})
