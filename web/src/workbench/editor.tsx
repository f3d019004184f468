// The editor of one file.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { findReferencesKeymap, formatDocument, formatKeymap, jumpToDefinitionKeymap } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../store";
import { ask } from "../ui/dialog";
import { failure, tell } from "../ui/live";
import { Menu, type MenuItem } from "../ui/menu";
import { workspace } from "../workspace";
import { languageOf } from "./language";
import { uriOf } from "./paths";
import { actionsAt, applyFix, languageServer, opener, problems, renameAt } from "./server";

/** The editor that is shown; `null` while none is. */
export const editing: { view: EditorView | null; path: string } = { view: null, path: "" };

/** Keeps all that was typed, at once. */
export const keepAll = (): Promise<void> => workspace.keepTyped();

/** Marks what comes from elsewhere: it is not typed. */
const fromElsewhere = Annotation.define<boolean>();

/** Shows the text of the open file as it is now, where it differs from what is shown; to undo brings back what was there. */
export function showText(text: string): void {
  const view = editing.view;
  if (!view) return;
  const [before, after] = [view.state.doc.toString(), text.replace(/\r\n?/g, "\n")];
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  view.dispatch({ changes: { from, to: before.length - end, insert: after.slice(from, after.length - end) }, annotations: fromElsewhere.of(true) });
}

/** Puts the cursor where a fault is. */
export function goTo(view: EditorView, line: number, character: number): void {
  const at = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
  const anchor = Math.min(at.from + character, at.to);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}

function positionOf(view: EditorView): { line: number; character: number } {
  const head = view.state.selection.main.head;
  const line = view.state.doc.lineAt(head);
  return { line: line.number - 1, character: head - line.from };
}

async function rename(view: EditorView, path: string): Promise<void> {
  const word = view.state.wordAt(view.state.selection.main.head);
  if (!word) return tell("the cursor stands on no name");
  const position = positionOf(view);
  const name = await ask("Another name, wherever it is used", "New name", view.state.sliceDoc(word.from, word.to));
  if (name) await renameAt(path, position, name).catch(failure);
  view.focus();
}

/** Shows a file and its editor. */
export function Editor({ path }: { path: string }) {
  const host = useRef<HTMLDivElement>(null);
  const program = useStore(workspace.program);
  const [menu, setMenu] = useState<{ items: MenuItem[]; x: number; y: number } | null>(null);

  useEffect(() => {
    if (!program || !host.current) return;
    let view: EditorView | null = null;
    let gone = false;
    const showFixes = (target: EditorView): boolean => {
      const position = positionOf(target);
      const here = (problems.value.get(path) ?? []).filter(({ range }) => range.start.line <= position.line && range.end.line >= position.line);
      const range = here[0]?.range ?? { start: position, end: position };
      void actionsAt(path, range, here.map((problem) => problem.said)).then((actions) => {
        if (!actions.length) return tell("nothing is offered here");
        const at = target.coordsAtPos(target.state.selection.main.head);
        const items = actions.map((action) => ({ words: action.title, act: () => void applyFix(action).then(() => target.focus()) }));
        setMenu({ items, x: at?.left ?? 0, y: at?.bottom ?? 0 });
      }, failure);
      return true;
    };
    void workspace.read(path).then((text) => {
      if (gone || !host.current) return;
      const language = languageOf(path);
      const name = `${path}, text`;
      const extensions = [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        lintGutter(),
        EditorView.lineWrapping,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          const isTyped = update.transactions.some((one) => one.docChanged && !one.annotation(fromElsewhere));
          if (isTyped) workspace.type(path, update.state.doc.toString());
        }),
        keymap.of([
          { key: "Mod-.", run: showFixes },
          { key: "F2", run: (target) => (void rename(target, path), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...lintKeymap,
          ...formatKeymap,
          ...jumpToDefinitionKeymap,
          ...findReferencesKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        language.extension,
        language.id === "plaintext" ? [] : languageServer(program).plugin(uriOf(path), language.id),
      ];
      view = new EditorView({ parent: host.current, state: EditorState.create({ doc: text, extensions }) });
      editing.view = view;
      editing.path = path;
      for (const waits of arrivals.splice(0)) waits(view);
    }, failure);
    return () => {
      gone = true;
      void keepAll();
      view?.destroy();
      if (editing.view === view) editing.view = null;
    };
  }, [path, program]);

  return (
    <>
      <div class="editor" ref={host} />
      {menu && <Menu label="Ways out" items={menu.items} x={menu.x} y={menu.y} onClose={() => setMenu(null)} />}
    </>
  );
}

const arrivals: ((view: EditorView) => void)[] = [];

/** Waits for the editor of the file that is being opened. */
export function nextView(path: string): Promise<EditorView> {
  if (editing.view && editing.path === path) return Promise.resolve(editing.view);
  return new Promise((resolve) => arrivals.push(resolve));
}

/** Writes the file that is open in the one way to write. */
export function format(): void {
  if (editing.view) formatDocument(editing.view);
}

/** Asks for another name of what the cursor stands on. */
export function renameHere(): void {
  if (editing.view) void rename(editing.view, editing.path);
}

export { opener };
