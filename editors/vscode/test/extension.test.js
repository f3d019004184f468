// The extension's own code, as it is bundled, beside a stand-in for VS Code; and what the file to install holds.

const assert = require('node:assert')
const fs = require('node:fs')
const Module = require('node:module')
const os = require('node:os')
const path = require('node:path')
const test = require('node:test')
const { execFileSync } = require('node:child_process')

const folder = path.join(__dirname, '..')
const manifest = require('../package.json')

// A stand-in for VS Code: what the extension asks of it is written down. All that it does not know is a class or a function.
function standIn(settings) {
  const told = { errors: [], commands: new Map(), terminals: [], log: [] }
  const disposable = { dispose() {} }
  const known = {
    window: {
      createOutputChannel: () => ({ appendLine: line => told.log.push(line), append() {}, show() {}, dispose() {} }),
      showErrorMessage: async text => void told.errors.push(text),
      showInputBox: async () => 'wood',
      createTerminal: options => (told.terminals.push(options), { show() {} }),
      activeTextEditor: undefined,
    },
    workspace: {
      getConfiguration: () => ({ get: key => settings[key] ?? '' }),
      onDidChangeConfiguration: () => disposable,
      saveAll: async () => true,
      workspaceFolders: [{ uri: { fsPath: settings.folder } }],
    },
    commands: { registerCommand: (name, run) => (told.commands.set(name, run), disposable), executeCommand: async () => {} },
  }
  const loose = name => new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : loose(key)) })
  told.vscode = new Proxy(known, { get: (target, key) => (key in target ? target[key] : loose(key)) })
  return told
}

function load(vscode) {
  const file = path.join(folder, 'dist/extension.js')
  const before = Module._load
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : before(name, ...rest))
  try {
    delete require.cache[file]
    return require(file)
  } finally {
    Module._load = before
  }
}

test('without the program the extension says so, with a way out, and its commands say it again', async () => {
  const told = standIn({ path: 'no_such_program', folder })
  await load(told.vscode).activate({ subscriptions: [] })
  assert.match(told.errors[0], /`no_such_program` was not found.*houserule\.path/)
  assert.match(told.log.join('\n'), /cargo install/)
  await told.commands.get('houserule.check')()
  assert.strictEqual(told.errors.length, 2)
  assert.strictEqual(told.terminals.length, 0)
})

test('each command of the manifest exists, and the other way round', async () => {
  const told = standIn({ path: 'no_such_program', folder })
  await load(told.vscode).activate({ subscriptions: [] })
  assert.deepStrictEqual([...told.commands.keys()].sort(), manifest.contributes.commands.map(command => command.command).sort())
})

test('the program is found by its path and on the PATH, and a folder or a text is no program', () => {
  const { find } = load(standIn({ folder }).vscode).forTests
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'houserule-find-'))
  const file = path.join(home, 'houserule')
  fs.writeFileSync(file, '')
  assert.strictEqual(find('houserule', home, false), undefined)
  fs.chmodSync(file, 0o755)
  assert.strictEqual(find('houserule', `relative${path.delimiter}${home}`, false), file)
  assert.strictEqual(find(file, '', false), file)
  assert.strictEqual(find(home, '', false), undefined)
  fs.rmSync(home, { recursive: true })
})

test('files belong to the nearest pack or game, and a pack says which game it extends', () => {
  const { ownerOf } = load(standIn({ folder }).vscode).forTests
  const there = new Set(['/games/rules', '/games/packs/wolves/pack.toml', '/games/packs/wolves/cards'].map(file => path.normalize(file)))
  const exists = file => there.has(file)
  assert.deepStrictEqual(ownerOf('/games/packs/wolves/cards/a.toml', exists), { folder: '/games/packs/wolves', pack: true })
  assert.deepStrictEqual(ownerOf('/games/rules/wood.rules', exists), { folder: '/games', pack: false })
  assert.strictEqual(ownerOf('/elsewhere/a.toml', exists), undefined)
})

test('what is not trusted is refused', () => {
  assert.strictEqual(manifest.capabilities.untrustedWorkspaces.supported, false)
})

test('the file to install holds what it must, and nothing else', () => {
  const file = path.join(folder, 'houserule.vsix')
  const list = 'import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()), sep="\\n")'
  const held = execFileSync('python3', ['-c', list, file], { encoding: 'utf8' }).trim().split('\n')
  const grammars = manifest.contributes.grammars.map(grammar => `extension/${path.normalize(grammar.path)}`)
  const expected = ['[Content_Types].xml', 'extension.vsixmanifest', 'extension/dist/extension.js', 'extension/language-configuration.json', 'extension/package.json', 'extension/readme.md', ...grammars]
  assert.deepStrictEqual(held, expected.sort())
})
