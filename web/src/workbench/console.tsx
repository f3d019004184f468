// A line for any command.
import { useRef, useState } from "preact/hooks";
import type { Progress, RunResult } from "../protocol";
import { joinLine, splitLine } from "../ui/command-line";
import { bytesOf, download } from "../ui/files";
import { failure, tell } from "../ui/live";
import { workspace } from "../workspace";
import { Report } from "./report";
import { runBeside, type Run } from "./runs";

interface Done {
  line: string;
  result: RunResult;
}

/** Commands as at a terminal, but for those that need one. */
export function Console() {
  const [line, setLine] = useState("");
  const [done, setDone] = useState<Done[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const typed = useRef<string[]>([]);
  const back = useRef(0);

  const start = (): void => {
    let args: string[];
    try {
      args = splitLine(line);
    } catch (error) {
      return failure(error);
    }
    if (!args.length) return;
    typed.current.push(line);
    back.current = 0;
    const started = runBeside(args, setProgress);
    setRun(started);
    setProgress(null);
    setLine("");
    started.done
      .then(
        (result) => setDone((before) => [{ line: joinLine(args), result }, ...before].slice(0, 20)),
        (error: Error) => error.message === "cancelled" || setDone((before) => [{ line: joinLine(args), result: { status: 1, out: "", err: error.message, written: {}, binary: {} } }, ...before]),
      )
      .finally(() => setRun(null));
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    back.current = Math.max(0, Math.min(typed.current.length, back.current + (event.key === "ArrowUp" ? 1 : -1)));
    setLine(back.current ? (typed.current[typed.current.length - back.current] ?? "") : "");
  };

  return (
    <div class="console">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label class="line">
          <span class="code">houserule</span>
          <input class="code" aria-label="Command" placeholder="check · words · list · playtest … · --help" autocapitalize="off" spellcheck={false} value={line} onInput={(event) => setLine(event.currentTarget.value)} onKeyDown={keys} disabled={run !== null} />
        </label>
        {run ? (
          <button type="button" onClick={() => run.cancel()}>
            Cancel
          </button>
        ) : (
          <button class="main">Run</button>
        )}
      </form>
      {run && <p class="quiet" aria-live="polite">{progress ? `${progress.done} of ${progress.of} ${progress.what}` : "runs…"}</p>}
      {done.map(({ line, result }, at) => (
        <section key={done.length - at} class="ran">
          <h2 class="code">houserule {line}</h2>
          <pre class={`output ${result.status ? "wrong" : ""}`} tabIndex={0} aria-label={`What ${line} says`}>
            {(result.out + result.err).trim() || (result.status ? `status ${result.status}` : "done")}
          </pre>
          {Object.entries(result.written).map(([path, text]) => (
            <Written key={path} path={path} text={text} />
          ))}
          {Object.entries(result.binary).map(([path, content]) => (
            <div key={path} class="row">
              <code>{path}</code>
              <button type="button" onClick={() => download(path.split("/").pop() ?? path, bytesOf(content), path.endsWith(".pdf") ? "application/pdf" : "application/octet-stream")}>
                Save
              </button>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

function Written({ path, text }: { path: string; text: string }) {
  const isPage = /\.html?$/.test(path);
  return (
    <div>
      <div class="row">
        <code>{path}</code>
        <button type="button" onClick={() => download(path.split("/").pop() ?? path, text, isPage ? "text/html" : "text/plain")}>
          Save
        </button>
        {!isPage && (
          <button type="button" onClick={() => void workspace.write(path, text).then(() => tell(`${path} is among your files`))}>
            Put among my files
          </button>
        )}
      </div>
      {isPage && <Report html={text} title={path} />}
    </div>
  );
}
