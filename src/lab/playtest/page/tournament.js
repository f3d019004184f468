"use strict";
// The page of a tournament: who is how strong, who wins against whom, and how long they think.

const { ratings, bouts, players } = result;
const { thought } = result;
const rated = ratings.map(({ agent, games, points, error, interval }, at) => ({ label: agent, value: points, interval, error, games, at, thought: thought[at] }));
const ranked = d3.sort(rated, (item) => -item.value);
const elo = (value) => d3.format(",.0f")(value);
const time = (value) => (value === null || value === undefined ? "" : `${d3.format(value < 10 ? ".3~r" : ",.0f")(value)} ms`);

/** Who is shown to win more than half against whom. */
const winsOver = (bout) => (bout.interval[0] > 0.5 ? [bout.first, bout.second] : bout.interval[1] < 0.5 ? [bout.second, bout.first] : null);

function rating(section) {
  const [best, next] = ranked;
  const met = bouts.find((bout) => [bout.first, bout.second].sort().join() === [best.label, next.label].sort().join());
  const shown = met && winsOver(met);
  const above = shown && shown[0] === best.label ? `, and is shown to win against ${next.label}` : `; it is not shown to win against ${next.label}`;
  chart(section, {
    title: `${best.label} is rated highest, ${elo(best.value - next.value)} points above ${next.label}${above}`,
    note: `Elo points above ${ratings[0].agent}: 400 are odds of ten to one at equal seats. Lines are 95% intervals of the difference to it.`,
    columns: ["", "Elo", "95% interval", "games", "a decision"],
    rows: ranked.map((item) => [item.label, elo(item.value), item.interval && item.at > 0 ? range(item.interval, elo) : "", `${item.games}`, time(item.thought)]),
    draw: (width) => dots(width, ranked.map((item) => ({ ...item, interval: item.at > 0 && item.interval ? item.interval : [item.value, item.value] })), { label: `Elo points above ${ratings[0].agent}` }, null),
  });
}

function meetings(section) {
  if (bouts.length === 0) return;
  const items = bouts.map((bout) => ({
    label: `${bout.first} against ${bout.second}`, value: bout.won, interval: bout.interval, even: 0.5, hollow: winsOver(bout) === null, bout,
  }));
  const open = items.filter((item) => item.hollow);
  chart(section, {
    title: open.length === 0 ? "Of all that met, one is shown to be stronger"
      : `${open.length} of ${plural(items.length, "meeting")} ${open.length === 1 ? "is" : "are"} open: ${open.slice(0, 3).map((item) => item.label).join(", ")}${open.length > 3 ? " …" : ""}`,
    note: "Games won by the first of the two; shared wins count in part. Lines are 95% intervals, clustered by deal: each is played twice, the second time with the seats exchanged.",
    legend: [{ name: "shown to be off one half", color: "var(--first)" }, { name: "not shown", color: "var(--first)", hollow: true }, { name: "one half", color: "var(--second)" }],
    columns: ["", "games", "won by the first", "95% interval", "deals", "of them distinct"],
    rows: items.map(({ label, bout }) => [label, `${bout.games}`, percent(bout.won), range(bout.interval, percent), `${bout.deals}`, `${bout.distinct}`]),
    draw: (width) => dots(width, items, { label: "games won by the first of the two", tickFormat: "%", domain: [0, 1] }, "even"),
  });
}

function thinking(section) {
  const items = ranked.filter((item) => typeof item.thought === "number").map((item) => ({ label: item.label, value: item.thought }));
  if (items.length < 2) return;
  const slow = d3.greatest(items, (item) => item.value);
  chart(section, {
    title: `${slow.label} thinks longest: ${time(slow.value)} a decision`,
    note: "Mean time of a question with at least two options on this machine.",
    columns: ["", "a decision"],
    rows: items.map((item) => [item.label, time(item.value)]),
    draw: (width) => bars(width, items, { label: "milliseconds a decision" }),
  });
}

begin(`${result.title}: a tournament`, [
  ["games", `${result.asked} for each two kinds of players${result.stopped ? "; stopped before the end" : ""}`],
  ...fact("dropped", result.dropped > 0 ? `${result.dropped} deals because of a fault` : ""),
  ...fact("cut off", result.cut_off > 0 ? `${result.cut_off} games after the most rounds that there can be` : ""),
  ["seed", `${result.seed}`],
  ["players", `${players} seats: ${ratings.map((item) => item.agent).join(", ")}`],
  ["changes", result.changes.join("  ") || "none"],
  ["packs", packs(result.packs)],
  ["rules", `${result.game}, ${result.rules}`],
  ["program", `houserule ${result.version}`],
]);

if (ranked.length > 1 && bouts.length > 0) {
  rating(part("How strong they are"));
  meetings(part("Who wins against whom"));
  thinking(part("How long they think"));
}
end();
