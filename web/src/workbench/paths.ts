// Paths of files, as the page and the language server write them.

/** The address of a file for the language server. */
export function uriOf(path: string): string {
  return `file:///${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The path of a file that the language server names. */
export function pathOf(uri: string): string {
  return uri.replace(/^file:\/\/\//, "").split("/").map(decodeURIComponent).join("/");
}

/** The folder with a `pack.toml` that a file lies in; `null` if it lies in none. */
export function packOf(path: string, paths: readonly string[]): string | null {
  const parts = path.split("/");
  for (let length = parts.length - 1; length > 0; length--) {
    const folder = parts.slice(0, length).join("/");
    if (paths.includes(`${folder}/pack.toml`)) return folder;
  }
  return null;
}

/** The names of all games: of those that can be read, and of those whose rules have faults. */
export function gameNames(games: readonly { name: string }[], paths: readonly string[]): string[] {
  const written = paths.flatMap((path) => /^rules\/([^/.]+)\.rules$/.exec(path)?.[1] ?? []);
  return [...new Set([...games.map((game) => game.name), ...written])];
}

/** The game of which a file in `rules/` or `cards/` is, if there is one of that name. */
export function gameOf(path: string, games: readonly string[]): string | null {
  const found = /(?:^|\/)(?:rules|cards)\/([^/.]+)/.exec(path)?.[1] ?? /(?:^|\/)tests\/(?:scenarios\/)?([^/.]+)/.exec(path)?.[1];
  return found !== undefined && games.includes(found) ? found : null;
}
