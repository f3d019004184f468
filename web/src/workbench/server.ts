// The language server: it runs in the program, and speaks with the editor as any other does.
import { LSPClient, LSPPlugin, Workspace, hoverTooltips, serverCompletion, signatureHelp, type WorkspaceFile } from "@codemirror/lsp-client";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Text, type TransactionSpec } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import { withLineEnds } from "../lines";
import type { Program } from "../program";
import { Store } from "../store";
import { failure, say, tell } from "../ui/live";
import { cleanMarkup } from "../ui/markup";
import { workspace } from "../workspace";
import { pathOf, uriOf } from "./paths";

interface Position {
  line: number;
  character: number;
}
interface Range {
  start: Position;
  end: Position;
}
interface TextEdit {
  range: Range;
  newText: string;
}
interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: { textDocument: { uri: string }; edits: TextEdit[] }[];
}

/** A way out that the language server offers. */
export interface CodeAction {
  title: string;
  kind?: string;
  edit?: WorkspaceEdit;
  disabled?: { reason: string };
}

/** A fault that the language server has found. */
export interface Problem {
  path: string;
  range: Range;
  /** 1 an error, 2 a warning, 3 and 4 a hint. */
  severity: number;
  message: string;
  code?: string | number;
  /** As the language server said it, to ask it for ways out. */
  said: unknown;
}

/** The faults in all files. */
export const problems = new Store<ReadonlyMap<string, Problem[]>>(new Map());

/** Opens a file in the editor and returns its view. */
export const opener: { open: (path: string) => Promise<EditorView | null> } = { open: async () => null };

interface OpenFile extends WorkspaceFile {
  view: EditorView;
}

/** The files that are open in the editor, for the language server. */
class OpenFiles extends Workspace {
  files: OpenFile[] = [];
  private readonly versions = new Map<string, number>();

  private nextVersion(uri: string): number {
    const version = (this.versions.get(uri) ?? -1) + 1;
    this.versions.set(uri, version);
    return version;
  }

  syncFiles() {
    const updates = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      updates.push({ file, prevDoc: file.doc, changes: plugin.unsyncedChanges });
      file.doc = file.view.state.doc;
      file.version = this.nextVersion(file.uri);
      plugin.clear();
    }
    return updates;
  }

  openFile(uri: string, languageId: string, view: EditorView): void {
    const file: OpenFile = { uri, languageId, version: this.nextVersion(uri), doc: view.state.doc, view, getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri: string): void {
    if (!this.getFile(uri)) return;
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return opener.open(pathOf(uri));
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    this.files.find((file) => file.uri === uri)?.view.dispatch(update);
  }
}

/** Sends what was typed to the language server when the keys have rested for a moment. */
const autoSync = ViewPlugin.fromClass(
  class {
    private timer = 0;
    update(update: ViewUpdate): void {
      if (!update.docChanged) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => LSPPlugin.get(update.view)?.client.sync(), 200) as unknown as number;
    }
    destroy(): void {
      clearTimeout(this.timer);
    }
  },
);

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

let client: LSPClient | null = null;
let clientOf: Program | null = null;

/** The language server of the program that runs now. */
export function languageServer(program: Program): LSPClient {
  if (client && clientOf === program) return client;
  const handlers = new Set<(message: string) => void>();
  program.notice = (notice) => {
    if (notice.event === "lsp") for (const handler of handlers) handler(JSON.stringify(notice.message));
  };
  problems.set(new Map());
  clientOf = program;
  client = new LSPClient({
    rootUri: "file:///",
    // A new name waits until all that was changed is read.
    timeout: 120_000,
    sanitizeHTML: cleanMarkup,
    workspace: (made) => new OpenFiles(made),
    notificationHandlers: {
      "textDocument/publishDiagnostics": (_, params) => {
        take(params);
        return true;
      },
    },
    extensions: [
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      {
        clientCapabilities: {
          textDocument: {
            publishDiagnostics: { versionSupport: true },
            codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor"] } } },
          },
        },
        editorExtension: autoSync,
      },
    ],
  });
  client.connect({
    send: (message) => void program.lsp(message).catch((error) => program.isOver || failure(error)),
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  });
  return client;
}

function take(params: { uri: string; version?: number; diagnostics: { range: Range; severity?: number; message: string; code?: string | number }[] }): void {
  const path = pathOf(params.uri);
  const found = params.diagnostics.map((said) => ({ path, range: said.range, severity: said.severity ?? 1, message: said.message, code: said.code, said }));
  const all = new Map(problems.value);
  if (found.length) all.set(path, found);
  else all.delete(path);
  problems.set(all);
  const file = client?.workspace.getFile(params.uri);
  const view = file?.getView();
  const plugin = view && LSPPlugin.get(view);
  if (!file || !view || !plugin || (params.version !== undefined && params.version !== file.version)) return;
  const place = (position: Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
  const shown = found.map((problem): Diagnostic => {
    const [from, to] = [place(problem.range.start), place(problem.range.end)];
    return { from, to: Math.max(from, to), severity: SEVERITIES[problem.severity] ?? "error", message: problem.message };
  });
  view.dispatch(setDiagnostics(view.state, shown));
  void offerFixes(view, found, shown);
}

/** Puts the ways out beside the faults in the text. */
async function offerFixes(view: EditorView, found: Problem[], shown: Diagnostic[]): Promise<void> {
  if (!client?.serverCapabilities?.codeActionProvider) return;
  const before = view.state.doc;
  const all = await Promise.all(found.slice(0, 30).map((problem) => fixesOf(problem).catch(() => [])));
  if (view.state.doc !== before || !all.some((fixes) => fixes.length)) return;
  const made = shown.map((diagnostic, at): Diagnostic => {
    const actions = (all[at] ?? []).map((fix) => ({ name: fix.title, apply: () => void applyFix(fix) }));
    return actions.length ? { ...diagnostic, actions } : diagnostic;
  });
  view.dispatch(setDiagnostics(view.state, made));
}

/** What the language server offers against a fault. */
export async function fixesOf(problem: Problem): Promise<CodeAction[]> {
  return actionsAt(problem.path, problem.range, [problem.said]);
}

/** What the language server offers at a place. */
export async function actionsAt(path: string, range: Range, diagnostics: unknown[]): Promise<CodeAction[]> {
  if (!client?.serverCapabilities?.codeActionProvider) return [];
  client.sync();
  const params = { textDocument: { uri: uriOf(path) }, range, context: { diagnostics, triggerKind: 1 } };
  const found = await client.request<unknown, CodeAction[] | null>("textDocument/codeAction", params);
  return (found ?? []).filter((action) => action.edit && !action.disabled);
}

/** Does what a way out says. */
export async function applyFix(action: CodeAction): Promise<void> {
  try {
    if (action.edit) await applyEdit(action.edit);
    say(`done: ${action.title}`);
  } catch (error) {
    failure(error);
  }
}

/** Changes files as the language server says: those that are open in the editor there, all others where they lie. Returns how many. */
export async function applyEdit(edit: WorkspaceEdit): Promise<number> {
  const changes = new Map(Object.entries(edit.changes ?? {}));
  for (const { textDocument, edits } of edit.documentChanges ?? []) changes.set(textDocument.uri, [...(changes.get(textDocument.uri) ?? []), ...edits]);
  for (const [uri, edits] of changes) {
    const view = client?.workspace.getFile(uri)?.getView();
    const before = view ? "" : await workspace.read(pathOf(uri));
    // The server speaks of the text that it was told last; more may have been typed since.
    const plugin = view && LSPPlugin.get(view);
    const text = plugin?.syncedDoc ?? view?.state.doc ?? Text.of(before.split(/\r\n?|\n/));
    const offset = ({ line, character }: Position): number => {
      const told = line >= text.lines ? text.length : Math.min(text.line(line + 1).from + character, text.length);
      return plugin ? plugin.unsyncedChanges.mapPos(told) : told;
    };
    const specs = edits.map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), insert: newText }));
    if (view) {
      view.dispatch({ changes: specs, userEvent: "input.fix" });
    } else {
      let result = text.toString();
      for (const { from, to, insert } of specs.sort((one, other) => other.from - one.from)) result = result.slice(0, from) + insert + result.slice(to);
      await workspace.write(pathOf(uri), withLineEnds(before, result));
    }
  }
  return changes.size;
}

/** Gives what stands at a place another name, wherever it is used. */
export async function renameAt(path: string, position: Position, newName: string): Promise<void> {
  if (!client) return;
  client.sync();
  const edit = await client.request<unknown, WorkspaceEdit | null>("textDocument/rename", { textDocument: { uri: uriOf(path) }, position, newName });
  const count = edit ? await applyEdit(edit) : 0;
  tell(count ? `renamed to ${newName} in ${count} file${count === 1 ? "" : "s"}` : "nothing here has a name that can be changed");
}
