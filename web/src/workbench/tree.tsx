// The files, as a tree of folders.
import { useState } from "preact/hooks";
import type { FileEntry } from "../protocol";
import { useStore } from "../store";
import { workspace } from "../workspace";
import { problems } from "./server";

interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: FileEntry[];
}

function foldersOf(entries: readonly FileEntry[]): Folder {
  const root: Folder = { name: "", path: "", folders: [], files: [] };
  for (const entry of entries) {
    const parts = entry.path.split("/");
    let at = root;
    for (const [depth, name] of parts.slice(0, -1).entries()) {
      let next = at.folders.find((folder) => folder.name === name);
      if (!next) {
        next = { name, path: parts.slice(0, depth + 1).join("/"), folders: [], files: [] };
        at.folders.push(next);
      }
      at = next;
    }
    at.files.push(entry);
  }
  return root;
}

function isOwn(folder: Folder): boolean {
  return folder.files.some((file) => !file.built_in || file.changed) || folder.folders.some(isOwn);
}

/** The tree of all files; one's own folders stand first. */
export function Tree({ open, onOpen }: { open: string | null; onOpen: (path: string) => void }) {
  const entries = useStore(workspace.entries);
  const left = useStore(workspace.left);
  const [filter, setFilter] = useState("");
  const shown = filter ? entries.filter((entry) => entry.path.toLowerCase().includes(filter.toLowerCase())) : entries;
  const root = foldersOf(shown);
  return (
    <div class="tree">
      <input type="search" aria-label="Search files" placeholder="Search files" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      <nav aria-label="Files">
        <Level folder={root} open={open} onOpen={onOpen} all={filter !== ""} />
        {left.length > 0 && (
          <details class="left" open>
            <summary>Not shown ({left.length})</summary>
            <ul>
              {left.map(([path, reason]) => (
                <li key={path}>
                  <code>{path}</code> <small>{reason}</small>
                </li>
              ))}
            </ul>
          </details>
        )}
        {!shown.length && <p class="empty">No file has that in its path.</p>}
      </nav>
    </div>
  );
}

function Level({ folder, open, onOpen, all }: { folder: Folder; open: string | null; onOpen: (path: string) => void; all: boolean }) {
  const faults = useStore(problems);
  const torn = useStore(workspace.torn);
  const folders = [...folder.folders].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || one.name.localeCompare(other.name));
  return (
    <ul>
      {folders.map((inner) => (
        <li key={inner.path}>
          <details open={all || isOwn(inner) || (open?.startsWith(`${inner.path}/`) ?? false)}>
            <summary>{inner.name}</summary>
            <Level folder={inner} open={open} onOpen={onOpen} all={all} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => {
        const name = file.path.split("/").pop() ?? "";
        const wrong = (faults.get(file.path) ?? []).some((problem) => problem.severity === 1);
        return (
          <li key={file.path}>
            <button type="button" class={`file ${wrong ? "has-fault" : ""}`} aria-current={open === file.path ? "true" : undefined} onClick={() => onOpen(file.path)}>
              <span class="name">{name}</span>
              {wrong && <span class="mark" title="has a fault">!</span>}
              {torn.has(file.path) && <span class="tag">two texts</span>}
              {file.changed ? <span class="tag">changed</span> : !file.built_in && <span class="tag">own</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
