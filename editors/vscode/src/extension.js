// Starts the language server, and runs the program's commands in a terminal.

const fs = require('node:fs')
const path = require('node:path')
const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

const PAGE_WITHOUT_PROGRAM = 'How to install it'

let client
let output

// The program as the settings name it: a name for the PATH, or a path. `~/` is the home folder.
function program() {
  const said = vscode.workspace.getConfiguration('houserule').get('path').trim() || 'houserule'
  return said.startsWith('~/') ? path.join(process.env.HOME || '', said.slice(2)) : said
}

function rootArguments() {
  const root = vscode.workspace.getConfiguration('houserule').get('root').trim()
  return root ? ['--root', root] : []
}

// Where the program is, or nothing. Only files that can be run count.
function find(name, search = process.env.PATH || '', windows = process.platform === 'win32') {
  const endings = windows ? ['.exe', ''] : ['']
  const folders = /[\\/]/.test(name) ? [''] : search.split(path.delimiter).filter(folder => path.isAbsolute(folder))
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending)
      try {
        fs.accessSync(file, fs.constants.X_OK)
        if (fs.statSync(file).isFile()) return file
      } catch {
        // Not here.
      }
    }
  }
  return undefined
}

async function tellMissing(name) {
  const said = `houserule: the program \`${name}\` was not found, so there are colours, and nothing else. Install it, or say in the setting houserule.path where it is.`
  const chosen = await vscode.window.showErrorMessage(said, 'Open the setting', PAGE_WITHOUT_PROGRAM)
  if (chosen === 'Open the setting') await vscode.commands.executeCommand('workbench.action.openSettings', 'houserule.path')
  if (chosen === PAGE_WITHOUT_PROGRAM) output.show()
}

async function start() {
  const name = program()
  const command = find(name)
  if (!command) {
    output.appendLine(`\`${name}\` was not found on the PATH. In the folder of houserule's source \`cargo install --path .\` builds and installs it; a program that was downloaded needs its whole path in the setting houserule.path. Then choose "houserule: Start the language server again".`)
    tellMissing(name)
    return
  }
  const server = { command, args: [...rootArguments(), 'lsp'] }
  client = new LanguageClient('houserule', 'houserule', server, {
    documentSelector: [
      { scheme: 'file', language: 'houserule' },
      { scheme: 'file', pattern: '**/{cards,packs,tests,examples}/**/*.toml' },
      { scheme: 'file', pattern: '**/pack.toml' },
    ],
    outputChannel: output,
  })
  try {
    await client.start()
  } catch (error) {
    client = undefined
    output.appendLine(`${command} lsp: ${error.message}`)
    const chosen = await vscode.window.showErrorMessage(`houserule: \`${command} lsp\` did not start: ${error.message}`, 'Show the log')
    if (chosen) output.show()
  }
}

async function stop() {
  const running = client
  client = undefined
  if (running) await running.stop()
}

// The nearest folder around a file that is a pack or holds games, as the language server looks for it.
function ownerOf(file, exists = fs.existsSync) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (exists(path.join(folder, 'pack.toml'))) return { folder, pack: true }
    if (exists(path.join(folder, 'rules')) || exists(path.join(folder, 'cards'))) return { folder, pack: false }
    if (path.dirname(folder) === folder) return undefined
  }
}

// Runs a command of the program where the open file belongs. No shell reads the words: the terminal is the program itself.
async function run(command) {
  const name = program()
  const file = find(name)
  if (!file) return tellMissing(name)
  const open = vscode.window.activeTextEditor?.document
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
  const owner = open?.uri.scheme === 'file' ? ownerOf(open.uri.fsPath) : undefined
  const cwd = owner?.folder ?? folder
  if (!cwd) return vscode.window.showErrorMessage('houserule: open a file or a folder of a game or pack first.')
  const subject = await subjectOf(command, owner, cwd)
  if (!subject) return
  await vscode.workspace.saveAll(false)
  const terminal = vscode.window.createTerminal({ name: `houserule ${command}`, shellPath: file, shellArgs: [...rootArguments(), command, ...subject], cwd })
  terminal.show()
}

// What a command is about: `check` and `test` go by the folder in which they run, `play` takes the pack there, or asks for a game.
async function subjectOf(command, owner, cwd) {
  if (command !== 'play') return []
  if (owner?.pack) return ['--pack', cwd]
  const asked = await vscode.window.showInputBox({ prompt: 'Which game?', value: 'nations' })
  return asked && [asked]
}

exports.activate = async context => {
  output = vscode.window.createOutputChannel('houserule')
  context.subscriptions.push(output)
  for (const command of ['check', 'test', 'play']) {
    context.subscriptions.push(vscode.commands.registerCommand(`houserule.${command}`, () => run(command)))
  }
  const restart = async () => {
    await stop()
    await start()
  }
  context.subscriptions.push(vscode.commands.registerCommand('houserule.restart', restart))
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('houserule') && restart()))
  await start()
}

exports.deactivate = stop
exports.forTests = { find, ownerOf }
