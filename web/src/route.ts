// Which view is shown. It stands behind the `#` of the address, so that going back works.
import { Store } from "./store";

export interface Route {
  page: "workbench" | "table";
  /** What the table's set-up begins with. */
  game?: string;
  pack?: string;
}

function read(): Route {
  const [page, query] = location.hash.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(query);
  return { page: page === "table" ? "table" : "workbench", game: given.get("game") ?? undefined, pack: given.get("pack") ?? undefined };
}

/** What a link carries, as it stands in the address; `null` if there is none. */
export function linkOf(hash: string): string | null {
  // Some programs write `=` and other signs as `%3D` and the like.
  const whole = /^#link/i.test(hash) ? hash.replace(/%[0-9a-f]{2}/gi, (sign) => String.fromCharCode(parseInt(sign.slice(1), 16))) : hash;
  return /^#link=?(.*)/is.exec(whole)?.[1] ?? new URLSearchParams(hash.split("?")[1]).get("link");
}

/** The view that is shown. */
export const route = new Store<Route>(read());

/** The link whose files are open. */
let held: string | null = null;

function write({ page, game, pack }: Route): string {
  const given = new URLSearchParams();
  if (game) given.set("game", game);
  if (pack) given.set("pack", pack);
  if (held) given.set("link", held);
  return `#/${page}${given.size ? `?${given}` : ""}`;
}

/** Shows a view in place of the one whose address stands there, with the link whose files are open, so that both are there after a reload. */
export function replaceRoute(to: Route, link: string | null): void {
  held = link;
  history.replaceState(null, "", write(to));
  route.set(to);
}

route.listen((value) => {
  if (location.hash !== write(value)) history.pushState(null, "", write(value));
});
/** Calls with a link that is in the address of the open page now, or with `null` if none is there any more; and with the view. */
export const linked: { open: (link: string | null, to: Route) => void } = { open: () => {} };
addEventListener("popstate", () => {
  const link = linkOf(location.hash);
  if (link !== held) linked.open(link, read());
  else route.set(read());
});
