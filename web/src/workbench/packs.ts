// Packs, and what they are about.
import { workspace } from "../workspace";

/** The game of a pack, which may extend another pack; `null` if that is not known. */
export async function gameOfPack(pack: string, packs: readonly string[], games: readonly string[]): Promise<string | null> {
  const seen = new Set<string>();
  for (let at: string | undefined = pack; at && !seen.has(at); ) {
    seen.add(at);
    const text: string = await workspace.read(`${at}/pack.toml`).catch(() => "");
    const extended: string = /^extends\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? "";
    if (games.includes(extended)) return extended;
    at = packs.find((one) => one === extended || one.endsWith(`/${extended}`));
  }
  return null;
}
