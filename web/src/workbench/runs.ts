// Commands that run beside the page, each in a program of its own with a copy of the files.
import { Program } from "../program";
import type { Progress, RunResult } from "../protocol";
import { workspace } from "../workspace";
import { keepAll } from "./editor";

/** A command that runs. */
export interface Run {
  done: Promise<RunResult>;
  cancel: () => void;
  /** The files with which it runs. */
  files: () => Record<string, string>;
}

/** Runs a command until it ends or is cancelled. */
export function runBeside(args: string[], progress: (progress: Progress) => void): Run {
  let program: Program | null = null;
  let cancelled = false;
  let files: Record<string, string> = {};
  const begin = async (): Promise<RunResult> => {
    await keepAll();
    if (cancelled) throw new Error("cancelled");
    files = workspace.ownFiles();
    program = new Program(files);
    program.notice = (notice) => {
      if (notice.event === "progress") progress(notice);
    };
    try {
      return await program.run(args);
    } finally {
      program.end();
    }
  };
  const cancel = (): void => {
    cancelled = true;
    program?.end();
  };
  return { done: begin(), cancel, files: () => files };
}
