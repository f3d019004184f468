"use strict";
// The page of a comparison: what differs, how sure that is, and how the games of a pair differ.

const { players, pairs } = result;
/** Fewer pairs have no interval. */
const MEASURED = pairs > 1;
/** So many rows of one chart are drawn; the table has all. */
const MOST = 30;

const called = (row) => (row.called ?? row.measure).replaceAll("_", " ");
/** Each measure once: others that say the same are named in the figures. */
const told = result.rows.filter((row) => row.same_as === undefined);
const digits = (row) => (Math.max(Math.abs(row.plain), Math.abs(row.changed)) < 1 ? 3 : 2);
const fixed = (value, row) => d3.format(`.${digits(row)}f`)(value);
/** A pair that is played again and again has no interval. */
const measurable = (row) => MEASURED && row.interval.every(Number.isFinite);
const interval = (row) => (measurable(row) ? range(row.interval, (value) => signed(value, digits(row))) : "");
const adjusted = (row) => (row.adjusted && !row.alone ? range(row.adjusted, (value) => signed(value, digits(row))) : "");

/** Other names under which a measure stands among those of the game. */
const also = (row) => result.rows.filter((other) => other.same_as === row.measure).map(called).join(", ");

function cells(row) {
  return [
    called(row), row.unit, fixed(row.plain, row), fixed(row.changed, row), signed(row.difference, digits(row)), interval(row), adjusted(row),
    row.p < 0.001 ? "< 0.001" : d3.format(".3f")(row.p), row.alone ? "tested alone" : row.q < 0.001 ? "< 0.001" : d3.format(".3f")(row.q),
    row.saved === null ? "" : percent(row.saved), also(row),
  ];
}

const COLUMNS = ["", "unit", "without", "with", "difference", "95% interval", "as it was chosen", "p", "q", "pairing saved", "says the same as"];
const SHOWN = [{ name: "shown to differ", color: "var(--first)" }, { name: "not shown", color: "var(--first)", hollow: true }];

/** A measure in units of how much it varies from game to game, so that all fit on one axis. */
function standardised(row) {
  const scaled = (value) => value / row.deviation;
  return {
    label: `${called(row)}, ${row.unit}\n${fixed(row.plain, row)} → ${fixed(row.changed, row)} (${signed(row.difference, digits(row))})`,
    value: scaled(row.difference),
    // What is shown was chosen for that, and has an interval that is wider.
    interval: (row.adjusted ?? row.interval).map(scaled),
    hollow: !row.shown,
  };
}

/** What differs, measure by measure. */
function differences(section) {
  const drawable = told.filter((row) => measurable(row) && row.deviation > 0).map(standardised);
  const domain = d3.extent([0, ...drawable.flatMap((item) => item.interval)]);
  for (const [family, found] of d3.group(told, (row) => row.family)) {
    const shown = found.filter((row) => row.shown);
    const varying = found.filter((row) => measurable(row) && row.deviation > 0);
    // Where not all have a place, those that differ have it first.
    const first = new Set([...varying.filter((row) => row.shown), ...varying.filter((row) => !row.shown)].slice(0, MOST));
    const items = varying.filter((row) => first.has(row)).map((row) => ({ ...standardised(row), none: 0 }));
    if (items.length === 0) {
      const why = pairs > 1 && result.distinct > 1 ? "none of them varies" : "a single pair shows nothing";
      chart(section, { title: `${found.length} measures of ${family}: ${why}`, columns: COLUMNS, rows: found.map(cells) });
      continue;
    }
    const names = shown.length > 0 && shown.length < 4 ? `: ${shown.map(called).join(", ")}` : "";
    const left = found.length - items.length;
    chart(section, {
      title: `Of ${found.length} measures of ${family} ${shown.length === 0 ? "none is" : shown.length === 1 ? "one is" : `${shown.length} are`} shown to differ${names}`,
      note: `Differences with 95% intervals, measured by how much each varies from game to game; those of what is shown are wider, since it was chosen.${found.some((row) => row.alone) ? ` Tested alone: ${called(found.find((row) => row.alone))}.` : ""}${left > 0 ? ` ${left} more in the table.` : ""}`,
      legend: [...SHOWN, { name: "no difference", color: "var(--second)" }],
      columns: COLUMNS,
      rows: found.map(cells),
      draw: (width) => dots(width, items, { label: "difference in standard deviations", domain }, "none"),
    });
  }
}

/** How the points of paired games differ. */
function distributionOfPairs(section) {
  const histogram = result.differences;
  if (!varies(histogram)) return;
  const found = bins(histogram);
  const more = d3.sum(found.filter((bin) => bin.from > 0), (bin) => bin.share);
  const fewer = d3.sum(found.filter((bin) => bin.to < 0), (bin) => bin.share);
  const points = result.rows.find((row) => row.measure === "points");
  const scale = 1 / players;
  const marks = [Plot.ruleX([0], { stroke: "var(--ink)", strokeDasharray: "4 3" })];
  if (measurable(points)) marks.push(Plot.rectX([points.interval], { x1: "0", x2: "1", fill: "var(--second)", fillOpacity: 0.35 }));
  marks.push(Plot.ruleX([points.difference], { stroke: "var(--second)", strokeWidth: 2.5 }));
  chart(section, {
    title: `In ${percent(more)} of the pairs a player has more points with the change, in ${percent(fewer)} fewer`,
    note: "Mean points of the players of a game with the change, less those of the game with the same seed without it. The dashed line is no difference.",
    legend: [{ name: "pairs of games", color: "var(--first)" }, { name: "mean, with its 95% interval", color: "var(--second)" }],
    columns: ["difference", "pairs", "share"],
    rows: found.map((bin) => [bin.from === bin.to ? signed(bin.from * scale) : `${signed(bin.from * scale)} to ${signed(bin.to * scale)}`, `${bin.count}`, percent(bin.share)]),
    draw: (width) => distribution(width, [histogram], { label: "difference in points of a player", of: "pairs", scale, marks }),
  });
}

/** What pairing saved. */
function saved(section) {
  const measured = told.filter((row) => row.saved !== null && measurable(row));
  const some = measured.filter((row) => row.shown || row.family === "points").slice(0, MOST);
  if (some.length === 0) return;
  const middle = d3.median(measured, (row) => row.saved);
  chart(section, {
    title: `Pairing saved ${percent(middle)} of the games for a measure in the middle`,
    note: "Of the games that unpaired runs would need for intervals as narrow, the share that is not needed; below 0 unpaired games would have varied less. Of the points, and of what is shown to differ.",
    columns: ["", "pairing saved"],
    rows: measured.map((row) => [called(row), percent(row.saved)]),
    draw: (width) => bars(width, some.map((row) => ({ label: called(row), value: row.saved })), { label: "games saved", tickFormat: "%" }),
  });
}

// ---------------------------------------------------------------- the page

const sides = (values) => (values[0] === values[1] ? values[0] : `${values[0]} without, ${values[1]} with the change`);
const { parting } = result;
// How good the players of both sides are.
const skills = (who, ofSides, ifBelow = "") => (ofSides ?? []).map((skill, side) => {
  if (skill === null) {
    return [`${who} ${side ? "with" : "without"} the change`, "not known"];
  }
  const about = skill.interval === null ? "" : ` (${range(skill.interval, (value) => signed(100 * value, 1))})`;
  return [`${who} ${side ? "with" : "without"} the change`, `${signed(100 * skill.above, 1)}% of wins for each seat${about}${skill.is_below_even ? ifBelow : ""}`];
});
begin(`${result.title}: a comparison`, [
  ["pairs", `${pairs} complete${result.distinct < pairs ? `, ${result.distinct} of them distinct,` : ""} of ${result.asked} asked for at most, ${result.dropped} dropped because of a fault${result.stopped ? "; stopped before the end" : ""}`],
  ["until", result.until === null ? "all are played" : `the interval of ${result.until[0]} reaches ${result.until[1]} at most to either side: ${result.enough ? "it does" : "it does not"}`],
  ["seed", `${result.seed}`],
  ["players", `${players}: ${result.agents.join(", ")}, one seat further on from pair to pair`],
  ...(result.trainings === undefined ? [] : [["trainings", result.trainings === 1
    ? "one of each side: how much of a difference comes from learning is not known, so that nothing is shown"
    : `${result.trainings} of each side; intervals are over trainings`]]),
  ...skills("who has learnt against greedy", result.in_place_of?.against_greedy),
  ...skills("who has learnt against a search as long", result.in_place_of?.against_search),
  ...(result.in_place_of === undefined ? [] : [["learning", "it does not pay here: players who search play in place of those who have learnt"]]),
  ...skills("against greedy", result.skill, "; nothing is shown by what it does"),
  ...skills("against a search as long", result.skill_beside_search),
  ...(result.cross_play === undefined ? [] : [["without", "learnt_without"], ["with", "learnt_with"]].map(([what, which]) => {
    const { difference, interval } = result.cross_play[which];
    const about = interval.every((end) => end !== null) ? ` (${range(interval, (value) => signed(value, 2))})` : "";
    return [`learnt ${what} the change`, `${result.cross_play.measure} ${signed(difference, 2)}${about} if who has learnt the rules ${what} the change plays both sides`];
  })),
  ["both sides", result.both.join("  ") || "as the game is"],
  ["changes", result.changes.join("  ")],
  ...(result.duration === undefined ? [] : [["time", `about ${number(result.duration.without)} minutes without, ${number(result.duration.with)} with the change, with ${result.duration.seconds_per_decision} seconds a decision, one after the other (--pace)`]]),
  ...result.rows.filter((row) => row.alone && row.needed).map(({ measure, needed }) => ["for a point",
    `${measure}: known to ${needed.size} either way after ${plural(needed.interval, "pair")}; a difference of ${needed.size} is shown after ${d3.format(",")(needed.effect)}, in four of five runs`]),
  ["packs", sides(result.packs.map(packs))],
  ["rules", `${result.game}, ${sides(result.rules)}`],
  ["parting", parting === null ? "all pairs go alike, answer by answer"
    : `${result.alike} of ${pairs} pairs go alike, answer by answer; the first that do not part in pair ${parting.pair} (seed ${parting.seed}) at answer ${parting.answer}: without the change ${parting.without}, with it ${parting.with}`],
  ["program", `houserule ${result.version}`],
]);

ruleChanges(part("What is changed"), result.rule_changes);
if (pairs > 0 && (result.alike < pairs || result.same_end < pairs)) {
  const all = part("What the change does");
  distributionOfPairs(all);
  differences(all);
  saved(part("What pairing saved"));
}
end();
