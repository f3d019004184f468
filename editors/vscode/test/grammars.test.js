// The scopes of some lines of shipped files, as VS Code's own reader of grammars gives them. With UPDATE_DOCS=1 they are written anew.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')
const oniguruma = require('vscode-oniguruma')
const textmate = require('vscode-textmate')

const root = path.join(__dirname, '../../..')
const contributed = require('../package.json').contributes.grammars
const files = new Map(contributed.map(grammar => [grammar.scopeName, path.join(__dirname, '..', grammar.path)]))
files.set('source.toml', require.resolve('tm-grammars/grammars/toml.json'))

const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
  createOnigString: text => new oniguruma.OnigString(text),
}))
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async scope => (files.has(scope) ? textmate.parseRawGrammar(fs.readFileSync(files.get(scope), 'utf8'), files.get(scope)) : null),
  getInjections: scope => contributed.filter(grammar => grammar.injectTo?.includes(scope)).map(grammar => grammar.scopeName),
})

// Each token that has a scope besides that of the file, a line each.
async function scopes(text, scope) {
  const grammar = await registry.loadGrammar(scope)
  let stack = textmate.INITIAL
  const told = []
  for (const line of text.split('\n')) {
    const found = grammar.tokenizeLine(line, stack)
    stack = found.ruleStack
    told.push(`> ${line}`)
    for (const token of found.tokens) {
      const said = line.slice(token.startIndex, token.endIndex)
      if (said.trim() && token.scopes.length > 1) told.push(`  ${said.trim()}  ${token.scopes.slice(1).join(' ')}`)
    }
  }
  return told.join('\n') + '\n'
}

const shown = [
  ['rules/near/buildings.rules', 20, 50, 'source.houserule'],
  ['grammar/example.rules', 1, 40, 'source.houserule'],
  ['cards/nations/advanced/advisors_2.toml', 1, 24, 'source.toml'],
  ['tests/scenarios/boards.toml', 1, 24, 'source.toml'],
]
for (const [file, from, to, scope] of shown) {
  test(`scopes of ${file}`, async () => {
    const text = fs.readFileSync(path.join(root, file), 'utf8').split('\n').slice(from - 1, to).join('\n')
    const snapshot = path.join(__dirname, 'scopes', `${path.basename(file)}.txt`)
    const said = await scopes(text, scope)
    if (process.env.UPDATE_DOCS) {
      fs.mkdirSync(path.dirname(snapshot), { recursive: true })
      fs.writeFileSync(snapshot, said)
    }
    assert.strictEqual(said, fs.readFileSync(snapshot, 'utf8'))
  })
}

test('words, names, texts and comments are told apart', async () => {
  const said = await scopes('effect storm(n) { all players { lose n wisp } } // wind', 'source.houserule')
  for (const part of ['effect  keyword.declaration', 'storm  entity.name.function', 'lose  keyword.control', 'wisp  variable.other', '// wind  comment']) {
    assert.ok(said.includes(`  ${part}`), `${part} in\n${said}`)
  }
})

test('a script and a condition in TOML are read as what they are, and the text behind them as TOML', async () => {
  const said = await scopes(`do = '''\nif true { gain(me, wisp, 2) }\n'''\nif = "wisp > 2 and not passed"\nname = "if gain"`, 'source.toml')
  assert.match(said, /gain  meta\.embedded\.block\.houserule\.script entity\.name\.function/)
  assert.match(said, /and  meta\.embedded\.block\.houserule keyword\.operator\.logical/)
  assert.doesNotMatch(said.split('> name')[1], /embedded/)
})
