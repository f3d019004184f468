// Tests that run as one types.
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunResult } from "../protocol";
import { useStore } from "../store";
import { say } from "../ui/live";
import { workspace } from "../workspace";
import { gameNames, gameOf, packOf } from "./paths";
import { runBeside, type Run } from "./runs";

/** What is to be tested when this file is open: its pack, its game, or the file itself. */
export function subjectOf(path: string | null, paths: readonly string[], games: readonly string[]): string | null {
  if (!path) return null;
  const pack = packOf(path, paths);
  if (pack) return pack;
  const game = gameOf(path, games);
  if (game) return game;
  return path.includes("tests/") && path.endsWith(".toml") ? path : null;
}

/** The tests of the open file's game or pack. */
export function Tests({ open }: { open: string | null }) {
  const entries = useStore(workspace.entries);
  const games = useStore(workspace.games);
  const revision = useStore(workspace.revision);
  const [last, setLast] = useState<{ subject: string; result?: RunResult; fault?: string } | null>(null);
  const [running, setRunning] = useState(false);
  const current = useRef<Run | null>(null);
  const paths = entries.map((entry) => entry.path);
  const subject = subjectOf(open, paths, gameNames(games, paths));

  useEffect(() => {
    if (!subject) return;
    let gone = false;
    const timer = setTimeout(() => {
      setRunning(true);
      const run = runBeside(["test", subject], () => {});
      current.current = run;
      run.done.then(
        (done) => {
          if (gone) return;
          setLast({ subject, result: done });
          setRunning(false);
          say(lastLine(done));
        },
        (error: Error) => {
          if (gone) return;
          setLast({ subject, fault: error.message });
          setRunning(false);
        },
      );
    }, 700);
    return () => {
      gone = true;
      clearTimeout(timer);
      current.current?.cancel();
    };
  }, [subject, revision]);

  if (!subject) return <p class="empty">Open a file of a game or a pack, and its tests run as you type.</p>;
  // What was found in something else is not told under this name.
  const { result, fault } = last?.subject === subject ? last : {};
  const passed = result?.status === 0;
  return (
    <div class="tests">
      <p class="row" aria-busy={running}>
        <strong>{subject}</strong>
        {result && <span class={`sign ${passed ? "good" : "error"}`}>{passed ? "passed" : "failed"}</span>}
        <span class="quiet">{running ? "testing…" : ""}</span>
      </p>
      {fault && <p class="wrong">{fault}</p>}
      {result && <pre class="output" tabIndex={0} aria-label="What the tests say">{(result.out + result.err).trim()}</pre>}
    </div>
  );
}

function lastLine(result: RunResult): string {
  return (result.out + result.err).trim().split("\n").pop() ?? "";
}
