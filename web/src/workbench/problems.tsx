// The faults that the language server has found, each with the ways out that it offers.
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store";
import { applyFix, fixesOf, problems, type CodeAction, type Problem } from "./server";

const SIGNS = ["error", "error", "warning", "note", "note"];

/** The list of faults, those of the open file first. */
export function Problems({ open, onGo }: { open: string | null; onGo: (problem: Problem) => void }) {
  const all = useStore(problems);
  const paths = [...all.keys()].sort((one, other) => Number(other === open) - Number(one === open) || one.localeCompare(other));
  if (!paths.length) return <p class="empty">No faults in the files that are open or have been looked at.</p>;
  return (
    <ul class="problems">
      {paths.flatMap((path) => (all.get(path) ?? []).map((problem, at) => <ProblemLine key={`${path}:${at}:${problem.message}`} problem={problem} onGo={onGo} />))}
    </ul>
  );
}

function ProblemLine({ problem, onGo }: { problem: Problem; onGo: (problem: Problem) => void }) {
  const [fixes, setFixes] = useState<CodeAction[]>([]);
  useEffect(() => {
    let gone = false;
    void fixesOf(problem).then(
      (found) => gone || setFixes(found),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [problem]);
  const sign = SIGNS[problem.severity] ?? "note";
  const [message, ...more] = problem.message.split("\n");
  return (
    <li>
      <button type="button" class="problem" onClick={() => onGo(problem)}>
        <span class={`sign ${sign}`}>{sign}</span>
        <span class="words">
          <span>{message}</span>
          {more.map((line) => (
            <small key={line}>{line}</small>
          ))}
          <small class="place">
            {problem.path}:{problem.range.start.line + 1}:{problem.range.start.character + 1} {problem.code ?? ""}
          </small>
        </span>
      </button>
      {fixes.length > 0 && (
        <div class="row fixes">
          {fixes.map((fix) => (
            <button type="button" key={fix.title} onClick={() => void applyFix(fix)}>
              {fix.title}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}
