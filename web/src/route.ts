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

/** The view that is shown. */
export const route = new Store<Route>(read());

function write({ page, game, pack }: Route): string {
  const given = new URLSearchParams();
  if (game) given.set("game", game);
  if (pack) given.set("pack", pack);
  return `#/${page}${given.size ? `?${given}` : ""}`;
}

route.listen((value) => {
  if (location.hash !== write(value)) history.pushState(null, "", write(value));
});
/** Calls with a link that somebody has put into the address of the open page. */
export const linked: { open: (hash: string) => void } = { open: () => {} };
addEventListener("popstate", () => {
  if (location.hash.startsWith("#link=")) linked.open(location.hash);
  else route.set(read());
});
