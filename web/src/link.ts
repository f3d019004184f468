// Links that carry what is shown: a variant, a seed, a position, files. All of it stands behind the `#`, so that no host sees it.
import type { Beginning } from "./protocol";

/** What a link carries. */
export interface Carried {
  /** Files of one's own that differ from the built-in ones. */
  files: Record<string, string>;
  /** A game at the table: how it begins, or the text of a replay. */
  table?: { beginning?: Beginning; replay?: string; at?: number };
  /** A command of the workbench, such as a comparison. */
  command?: string[];
  /** The file that is open. */
  open?: string;
}

/** Most letters of what a link may unpack to. */
const MOST = 20_000_000;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST) throw new Error("the link unpacks to more than a page should hold");
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Writes what is carried as the part of a link behind `#`. */
export async function encodeLink(carried: Carried): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(carried)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `link=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Reads what a link carries, of what stands behind its `link=`; throws if it is no link of this page. */
export async function decodeLink(code: string): Promise<Carried> {
  const coded = code.replaceAll("-", "+").replaceAll("_", "/");
  let carried: unknown;
  try {
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    carried = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch (error) {
    throw new Error(`the link is not whole: was it cut when it was sent? (${error instanceof Error ? error.message : error})`);
  }
  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
  const strings = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === "string");
  if (!isRecord(carried) || !isRecord(carried.files) || !strings(Object.values(carried.files))) throw new Error("the link is not one of this page");
  if (carried.command !== undefined && !strings(carried.command)) throw new Error("the command of the link is none");
  if (carried.table !== undefined && !isRecord(carried.table)) throw new Error("the table of the link is none");
  return carried as unknown as Carried;
}
