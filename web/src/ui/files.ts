// Files that come and go: what is downloaded, opened and packed.
import { strToU8, unzipSync, zipSync } from "fflate";

/** Hands a file to the browser's downloads. */
export function download(name: string, content: string | Uint8Array, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The bytes of a file in base64. */
export function bytesOf(content: string): Uint8Array {
  return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
}

/** Asks for a file; `null` if none is chosen. */
export function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}

/** Packs files into a .zip. */
export function pack(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
}

/** Most bytes that a .zip may unpack to. */
const MOST = 50_000_000;

/** Unpacks a .zip: text files by their paths, and the names of those that are no text of ours. */
export function unpack(bytes: Uint8Array): { files: Record<string, string>; left: string[] } {
  const left: string[] = [];
  let size = 0;
  const found = unzipSync(bytes, {
    filter(file) {
      if (file.name.endsWith("/") || file.name.startsWith("__MACOSX/")) return false;
      const ours = /\.(rules|toml|md|txt|replay|equal|csv)$/.test(file.name) && !file.name.split("/").includes("..");
      size += file.originalSize;
      if (!ours) left.push(file.name);
      if (size > MOST) throw new Error("the .zip unpacks to more than 50 MB");
      return ours;
    },
  });
  const files: Record<string, string> = {};
  for (const [path, content] of Object.entries(found)) {
    try {
      files[path.replace(/^\.?\//, "")] = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      left.push(`${path} (not UTF-8)`);
    }
  }
  return { files, left };
}
