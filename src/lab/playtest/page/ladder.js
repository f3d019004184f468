"use strict";
// The page of a ladder: the same comparison by several kinds of players, and what they say together.

const { rungs, claims } = result;
const [first] = rungs;
/** So many claims are drawn; the table has all. */
const MOST = 12;

const agentOf = (rung) => rung.agents[0];
const called = (claim) => (claim.called ?? claim.measure).replaceAll("_", " ");
const VERDICTS = {
  robust: "robust", better_players: "only better players see it", beginners: "only beginners feel it",
  some_players: "only some players see it", contradicted: "depends on who plays",
};
const digits = (row) => (Math.max(Math.abs(row.plain), Math.abs(row.changed)) < 1 ? 3 : 2);
const fixed = (value, row) => d3.format(`.${digits(row)}f`)(value);
const rowOf = (rung, claim) => rung.rows.find((row) => row.measure === claim.measure);

/** What a measure is for each kind of players, the weakest first. */
function claimOf(section, claim) {
  const found = rungs.map((rung) => ({ rung, row: rowOf(rung, claim) })).filter(({ row }) => row !== undefined);
  const items = found.filter(({ row }) => row.interval.every(Number.isFinite)).map(({ rung, row }) => ({
    label: `${agentOf(rung)}\n${fixed(row.plain, row)} → ${fixed(row.changed, row)} (${signed(row.difference, digits(row))})`,
    value: row.difference, interval: row.adjusted ?? row.interval, hollow: !row.shown, none: 0,
  }));
  const unit = found[0].row.unit;
  chart(section, {
    title: `${called(claim)}, ${unit}: ${VERDICTS[claim.verdict]}`,
    note: "Differences with 95% intervals; those of what is shown are wider, since it was chosen. Players by chance are no evidence.",
    legend: [{ name: "shown to differ", color: "var(--first)" }, { name: "not shown", color: "var(--first)", hollow: true }, { name: "no difference", color: "var(--second)" }],
    columns: ["players", "without", "with", "difference", "95% interval", "shown"],
    rows: found.map(({ rung, row }) => [
      agentOf(rung), fixed(row.plain, row), fixed(row.changed, row), signed(row.difference, digits(row)),
      row.interval.every(Number.isFinite) ? range(row.interval, (value) => signed(value, digits(row))) : "", row.shown ? "yes" : "no",
    ]),
    draw: items.length === 0 ? undefined : (width) => dots(width, items, { label: `difference, ${unit}` }, "none"),
  });
}

begin(`${first.title}: a comparison by several kinds of players`, [
  ["pairs", `${first.asked} for each kind of players; played: ${rungs.map((rung) => `${rung.pairs} by ${agentOf(rung)}`).join(", ")}`],
  ["seed", `${first.seed}`],
  ["players", `${first.players} of a kind: ${rungs.map(agentOf).join(", ")}`],
  ["both sides", first.both.join("  ") || "as the game is"],
  ["changes", first.changes.join("  ")],
  ["rules", `${first.game}, ${first.rules[0] === first.rules[1] ? first.rules[0] : `${first.rules[0]} without, ${first.rules[1]} with the change`}`],
  ["program", `houserule ${first.version}`],
]);

const section = part("What is shown above chance");
if (claims.length === 0) {
  section.append(element("p", { class: "note" }, rungs.every((rung) => rung.pairs > 0)
    ? "Nothing is shown to differ by any players above chance." : "Stopped before all had played."));
} else {
  chart(section, {
    title: `Of ${plural(claims.length, "claim")} ${claims.filter((claim) => claim.robust).length} ${claims.filter((claim) => claim.robust).length === 1 ? "is" : "are"} robust`,
    note: "Robust: shown by weaker and by better players above chance, always with the same sign. In brackets: not shown to differ.",
    wide: true,
    columns: ["", ...rungs.map(agentOf), ""],
    rows: claims.map((claim) => [
      called(claim), ...claim.rungs.map((rung) => (rung === null ? "-" : rung[1] ? signed(rung[0], 3) : `(${signed(rung[0], 3)})`)), VERDICTS[claim.verdict],
    ]),
  });
  claims.slice(0, MOST).forEach((claim) => claimOf(section, claim));
}
ruleChanges(part("What is changed"), first.rule_changes);
end();
