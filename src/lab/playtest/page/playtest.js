"use strict";
// The page of a run: points, games won, the course of a game, cards.

const { players, games } = result;
const teams = result.by_team ?? [];
const even = result.won ? result.won.share : 1 / (teams.length || players);
const share = { label: "games won", tickFormat: "%" };
const EVEN = { name: "even share", color: "var(--second)" };
const INTERVAL = "Lines are 95% intervals.";

// ---------------------------------------------------------------- points

function points(section) {
  const all = result.points.at(-1);
  const items = result.points.slice(0, -1).map((row) => ({ label: word(row.name), value: row.mean, ...row }));
  const cells = (name, mean) => [name, number(mean.mean), mean.deviation === null ? "" : number(mean.deviation), mean.interval ? range(mean.interval) : ""];
  const ranks = result.by_rank.length > 1 ? [cells("all, of the winner", result.by_rank[0]), cells("all, of the last", result.by_rank.at(-1))] : [];
  const largest = d3.greatest(items, (item) => item.value);
  chart(section, {
    title: items.length > 1
      ? `A player has ${number(all.mean)} points; the largest part, ${number(largest.value)}, comes from ${largest.label}`
      : `A player has ${number(all.mean)} points`,
    note: `Means of a player. ${INTERVAL}`,
    columns: ["", "mean", "spread", "95% interval"],
    rows: [...items.map((item) => cells(item.label, item)), cells("all", all), ...ranks],
    draw: (width) => bars(width, items, { label: "points of a player" }),
  });

  const { points, points_of_winner, margin } = result.distributions;
  if (varies(points)) {
    const [low, middle, high] = [0.1, 0.5, 0.9].map((at) => quantile(points, at));
    const winners = players > 1 ? [points_of_winner] : [];
    chart(section, {
      title: `Half of all players have ${plural(middle, "point")} or fewer; eight of ten lie between ${low} and ${high}`,
      legend: players > 1 ? [{ name: "players", color: "var(--first)" }, { name: "winners", color: "var(--second)", hollow: true }] : null,
      columns: ["points", "players", "share"],
      rows: bins(points).map((bin) => [binName(bin), `${bin.count}`, percent(bin.share)]),
      draw: (width) => distribution(width, [points, ...winners], { label: "points", of: players > 1 ? "players, of winners" : "games" }),
    });
  }
  if (varies(margin)) {
    const close = d3.sum(bins(margin).filter((bin) => bin.to <= margin.width), (bin) => bin.share);
    chart(section, {
      title: `Half of the games are won by ${plural(quantile(margin, 0.5), "point")} or fewer; ${percent(close)} by ${margin.width} at most`,
      columns: ["points between first and second", "games", "share"],
      rows: bins(margin).map((bin) => [binName(bin), `${bin.count}`, percent(bin.share)]),
      draw: (width) => distribution(width, [margin], { label: "points between first and second", of: "games" }),
    });
  }
}

// ---------------------------------------------------------------- games won

const shareItem = (label, won, own = even) => ({ label, value: won.share, interval: won.interval, even: own, count: +won.count.toFixed(1), of: won.of });
const off = (item) => item.interval[0] > item.even || item.interval[1] < item.even;
const shareCells = (item) => [item.label, `${item.count}`, `${item.of}`, percent(item.value), range(item.interval, percent), percent(item.even)];
const SHARES = ["", "won", "of", "share", "95% interval", "even share"];

function wonTogether(section) {
  const { won } = result;
  chart(section, {
    title: `${percent(won.share)} of the games are won (${range(won.interval, percent)})`,
    note: INTERVAL,
    columns: ["", "won", "of", "share", "95% interval"],
    rows: [["all together", `${won.count}`, `${won.of}`, percent(won.share), range(won.interval, percent)]],
    draw: (width) => bars(width, [{ label: "all together", value: won.share, interval: won.interval }], { label: "share of games", tickFormat: "%" }),
  });
}

function won(section) {
  if (result.won) return wonTogether(section);
  const seats = teams.length > 0
    ? teams.map((team) => shareItem(team.seats.map((seat) => `p${seat}`).join("+"), team.won))
    : result.by_seat.map((seat) => shareItem(`p${seat.seat} ${seat.agent}`, seat.won));
  const several = result.by_agent.length > 1;
  const agents = several ? result.by_agent.map((by) => shareItem(`all ${by.agent}`, by.won, by.seats / players)) : [];
  const far = seats.filter(off);
  const said = far.map((seat) => `${seat.label.split(" ")[0]} wins ${seat.value > even ? "more" : "less"} (${percent(seat.value)})`);
  const few = games < 100 ? ", which so few games can hardly do" : "";
  const reach = Math.max(...seats.flatMap((seat) => (seat.interval ?? []).map((end) => Math.abs(end - even))));
  const upTo = Number.isFinite(reach) ? `; a seat may still win up to ${percent(reach)} more or less of all games` : "";
  const by = agents.map((agent) => `${agent.label} win ${percent(agent.value)} (even: ${percent(agent.even)})`);
  chart(section, {
    title: several ? `Of all games, ${by.join(", ")}` : far.length > 0 ? `${said.join(", ")} than an even share of ${percent(even)}` : `No seat is shown to be favoured: the even share of ${percent(even)} lies in every interval${few}${upTo}`,
    note: `${INTERVAL}${several ? " Seats have players of different kinds, so that seat and player go together." : ""}${result.won_together > 0 ? ` ${plural(result.won_together, "game")} had several winners: each of these won an equal part.` : ""}`,
    legend: [{ name: "games won", color: "var(--first)" }, EVEN],
    columns: SHARES,
    rows: [...seats, ...agents].map(shareCells),
    draw: (width) => dots(width, [...seats, ...agents], share, "even"),
  });

  for (const [place, found] of d3.group(result.begun, (begun) => begun.place)) {
    const items = found.map((begun) => ({ ...shareItem(card(begun.card), begun.won), points: begun.points }));
    const chosen = extremes(items);
    if (chosen.length < 2) continue;
    chart(section, {
      title: found.length === chosen.length
        ? `Games won by who begins with what, of ${word(place)}: ${items.filter(off).length} of ${items.length} off the even share`
        : `Games won by who begins with what, of ${word(place)}: the ${chosen.length} farthest off of ${items.length}`,
      note: `${INTERVAL} By chance alone one in twenty would lie off.`,
      legend: [{ name: "games won by those who begin with it", color: "var(--first)" }, EVEN],
      columns: [...SHARES, "points", "95% interval"],
      rows: items.map((item) => [...shareCells(item), number(item.points.mean), item.points.interval ? range(item.points.interval) : ""]),
      draw: (width) => dots(width, chosen, share, "even"),
    });
  }
}

function honours(section) {
  if (result.honours.length === 0) return;
  const items = result.honours.map((place) => ({ ...shareItem(place.name === null ? "below it" : word(place.name), place.reached), points: place.points }));
  chart(section, {
    title: `Most games end at: ${d3.greatest(items, (item) => item.value).label}`,
    note: INTERVAL,
    columns: ["", "from", "games", "share", "95% interval"],
    rows: items.map((item) => [item.label, item.points === null ? "" : `${item.points}`, `${item.count}`, percent(item.value), range(item.interval, percent)]),
    draw: (width) => bars(width, items, { label: "share of games", tickFormat: "%" }),
  });
}

// ---------------------------------------------------------------- the course of a game

function course(section) {
  const rounds = result.by_round.map((row, at) => ({ ...row, at: row.round ?? (result.by_round[at - 1]?.round ?? 0) + 1 }));
  const scored = rounds.filter((row) => row.points !== null).map((row) => ({ at: row.at, round: row.round, ...row.points }));
  const name = (row) => (row.round === null ? "end" : `${row.round}`);
  if (scored.length > 1) {
    const steps = d3.pairs(scored, (a, b) => ({ from: name(a), to: name(b), gain: b.mean - a.mean }));
    const largest = d3.greatest(steps, (step) => Math.abs(step.gain));
    chart(section, {
      title: `The score goes from ${number(scored[0].mean)} to ${number(scored.at(-1).mean)} points; the largest step, ${signed(largest.gain, 1)}, comes in ${largest.to === "end" ? "the last round" : `round ${largest.from}`}`,
      note: "What the score would give a player when a round begins, and at the end; the band is the 95% interval of the mean.",
      columns: ["round begins", "points", "95% interval"],
      rows: scored.map((row) => [name(row), number(row.mean), row.interval ? range(row.interval) : ""]),
      draw: (width) => overRounds(width, 260, scored, "mean", { label: "points of a player" }),
    });
  }
  const { rounds: lengths, decisions, options } = result.distributions;
  if (varies(lengths)) histogramOf(section, lengths, "rounds of a game", "games", `A game has ${number(result.rounds.mean)} rounds, from ${lengths.from} to ${quantile(lengths, 1)}`);
  if (varies(decisions)) {
    histogramOf(section, decisions, "decisions of a game, of all players together", "games",
      `A game has ${number(result.decisions.mean)} decisions; eight of ten have ${quantile(decisions, 0.1)} to ${quantile(decisions, 0.9)}`);
  }
  if (varies(options)) {
    histogramOf(section, options, "options to choose from", "decisions",
      `Half of all decisions have ${plural(quantile(options, 0.5), "option")} or fewer; the widest has ${result.most_options}`);
  }
  const figures = Object.keys(result.by_round[0]?.figures ?? {});
  const moving = figures.filter((figure) => d3.max(rounds, (row) => Math.abs(row.figures[figure])) > 0);
  if (rounds.length > 1 && moving.length > 0) {
    chart(section, {
      title: "What a player has when a round begins, and at the end",
      note: "Means of a player; each has its own scale.",
      wide: true,
      columns: ["round", ...figures.map(word)],
      rows: rounds.map((row) => [name(row), ...figures.map((figure) => number(row.figures[figure]))]),
      draw: (width) => {
        const columns = Math.max(2, Math.floor((width + 16) / 220));
        const each = (width - (columns - 1) * 16) / columns;
        const small = moving.map((figure) => element("div", {}, element("h4", {}, word(figure)),
          overRounds(each, 140, rounds.map((row) => ({ at: row.at, round: row.round, mean: row.figures[figure] })), "mean", { label: null })));
        return element("div", { class: "small", style: `grid-template-columns: repeat(${columns}, 1fr)` }, ...small);
      },
    });
  }
}

function histogramOf(section, histogram, label, of, title) {
  chart(section, {
    title,
    columns: [label, of, "share"],
    rows: bins(histogram).map((bin) => [binName(bin), `${bin.count}`, percent(bin.share)]),
    draw: (width) => distribution(width, [histogram], { label, of }),
  });
}

/** A line from round to round; the last point is the end. */
function overRounds(width, height, rows, y, { label, tickFormat }) {
  const last = rows.at(-1).at;
  const step = Math.ceil(rows.length / Math.max(2, (width - 50) / 36));
  const ticks = rows.map((row) => row.at).filter((at) => at === last || ((at - rows[0].at) % step === 0 && last - at >= step));
  const ends = rows.at(-1).round === null;
  const marks = [];
  if (label) marks.push(Plot.areaY(rows.filter((row) => row.interval), { x: "at", y1: (row) => row.interval[0], y2: (row) => row.interval[1], fill: "var(--first)", fillOpacity: 0.25 }));
  return plot({
    width, height, marginLeft: 46, marginTop: label ? 30 : 10, marginBottom: label ? 44 : 26,
    x: { ticks, tickFormat: (at) => (ends && at === last ? "end" : `${at}`), label: label ? "round begins" : null, labelAnchor: "center", labelArrow: "none", labelOffset: 40 },
    y: upwards({ label, tickFormat, ticks: label ? 5 : 3, zero: true, nice: true }),
    marks: [Plot.ruleY([0]), ...marks, Plot.line(rows, { x: "at", y, stroke: "var(--first)", strokeWidth: 2 }), Plot.dot(rows, { x: "at", y, fill: "var(--first)", r: 2.5 })],
  });
}

// ---------------------------------------------------------------- who leads

function leads(section) {
  const { lead } = result;
  if (!lead || lead.settled.length === 0) return;
  const rows = lead.settled.map(({ round, games }) => ({ at: round, round, mean: games.share, interval: games.interval, games }));
  const half = rows.find((row) => row.mean >= 0.5);
  const { mean, interval } = lead.changes;
  chart(section, {
    title: half ? `In half of the games the winner leads from round ${half.round} on, or longer; the lead changes ${number(mean)} times`
      : `In ${percent(rows.at(-1).mean)} of the games the winner is known before the end; the lead changes ${number(mean)} times`,
    note: `Share of games whose later winner leads when a round begins and stays in the lead, equal points told apart as at the end. ${interval ? `Changes of the lead: ${range(interval)} in a game. ` : ""}The band is the 95% interval.`,
    columns: ["settled when round begins", "games", "share", "95% interval"],
    rows: rows.map((row) => [`${row.round}`, `${row.games.count}`, percent(row.mean), range(row.interval, percent)]),
    draw: (width) => overRounds(width, 260, rows, "mean", { label: "share of games settled", tickFormat: "%" }),
  });
}

// ---------------------------------------------------------------- strategies

const markName = (mark) => (mark.kind === undefined ? word(mark.action) : `${word(mark.action)}: ${kind(mark.kind)}`);
const markText = (mark) => `${mark.deviation > 0 ? "more" : "less"} “${markName(mark)}” (${number(mark.in_group)}, all ${number(mark.of_all)})`;

function strategiesOf(section) {
  const { groups, silhouette, without_groups: none, players: of } = result.strategies;
  if (silhouette === null && groups.length === 0) return;
  const apart = `mean silhouette ${number(silhouette)}; ${number(none)} at most in data without groups`;
  if (groups.length === 0) {
    const why = silhouette > none
      ? `No strategies are told: of the groups by what ${of} players did one is smaller than one player in twenty`
      : `No strategies can be told apart: several groups describe what ${of} players did no better than one`;
    section.append(element("p", { class: "note" }, `${why} (${apart}).`));
    return;
  }
  const items = groups.map((group, at) => {
    const label = `${at + 1}. ${group.marks.map(markText).join(", ") || "much as all players"}`;
    const won = group.won === undefined ? { value: group.points.mean, interval: group.points.interval } : { value: group.won.share, interval: group.won.interval, even };
    return { label, group, ...won };
  });
  const shares = groups[0].won !== undefined;
  const drawable = items.filter((item) => item.interval);
  const apartOnes = shares ? items.filter(off) : [];
  chart(section, {
    title: shares
      ? `${groups.length} ways to play: ${apartOnes.length === 0 ? "none is shown to win more or less than the others" : `${apartOnes.map((item) => `the ${items.indexOf(item) + 1}. wins ${item.value > even ? "more" : "less"} (${percent(item.value)})`).join(", ")} than an even share`}`
      : `${groups.length} ways to play, with ${groups.map((group) => number(group.points.mean)).join(", ")} points`,
    note: `Groups of ${of} players by the shares of their actions (k-means), found without looking at who won; the numbers are times in a game of a player. ${apart}. ${INTERVAL}`,
    wide: true,
    legend: shares ? [{ name: "games won", color: "var(--first)" }, EVEN] : null,
    columns: ["strategy", "players", "share of players", "points", "won", "95% interval"],
    rows: items.map(({ label, group, interval }) => [
      label, `${group.players.count}`, percent(group.players.share), number(group.points.mean),
      shares ? percent(group.won.share) : "", interval ? range(interval, shares ? percent : number) : "",
    ]),
    draw: drawable.length === 0 ? undefined : (width) => dots(width, drawable, shares ? share : { label: "points" }, shares ? "even" : null),
  });
}

// ---------------------------------------------------------------- actions and answers

/** So many rows of what is done are drawn; the table has all. */
const MOST = 24;

function answers(section) {
  const actions = d3.groups(result.actions, (count) => count.action).map(([action, counts]) => ({ action, counts, value: d3.sum(counts, (count) => count.per_game) }));
  if (actions.length > 0) {
    actions.sort((a, b) => d3.descending(a.value, b.value));
    const items = actions.flatMap(({ action, counts, value }) => {
      const kinds = counts.filter((count) => count.kind !== null && counts.length > 1).sort((a, b) => d3.descending(a.per_game, b.per_game));
      return [{ label: word(action), value }, ...kinds.map((count) => ({ label: `${word(action)}: ${kind(count.kind)}`, value: count.per_game, part: true }))];
    });
    const drawnItems = d3.sort(items, (item) => -item.value).slice(0, MOST);
    chart(section, {
      title: `The commonest action is “${word(actions[0].action)}”: ${number(actions[0].value)} times in a game`,
      note: drawnItems.length < items.length ? `Of all players together; the ${MOST} commonest of ${items.length}.` : "Of all players together.",
      legend: items.some((item) => item.part) ? [{ name: "actions", color: "var(--first)" }, { name: "with a kind of cards", color: "var(--part)" }] : null,
      columns: ["", "in a game"],
      rows: items.map((item) => [item.label, number(item.value)]),
      draw: (width) => bars(width, items.filter((item) => drawnItems.includes(item)), { label: "times in a game" }),
    });
  }
  // A question of a card has the card's id before `.answer`.
  const asker = (id) => (id.endsWith(".answer") ? card(id.slice(0, -".answer".length)) : word(id));
  const items = result.answers.map((answer) => ({ label: `${asker(answer.question)}: ${word(answer.answer)}`, value: answer.per_game }));
  const commonest = d3.sort(items, (item) => -item.value).slice(0, MOST);
  if (items.length > 0) {
    chart(section, {
      title: `The commonest answer is “${commonest[0].label}”: ${number(commonest[0].value)} times in a game`,
      note: commonest.length < items.length ? `Of all players together; the ${MOST} commonest of ${items.length}.` : "Of all players together.",
      columns: ["question and answer", "in a game"],
      rows: items.map((item) => [item.label, number(item.value)]),
      draw: (width) => bars(width, commonest, { label: "times in a game" }),
    });
  }
}

// ---------------------------------------------------------------- cards

/** So many cards at either end are drawn. */
const EACH_END = 10;
/** A card that fewer players had says too little to be drawn. */
const FEWEST = 20;

/** The rows of which it is surest that they lie high or low, from high to low: by the end of the interval that is nearer to the middle. */
function extremes(items) {
  const known = items.filter((item) => item.of >= FEWEST);
  if (known.length <= 2 * EACH_END) return d3.sort(known, (item) => -item.value);
  const top = d3.sort(known, (item) => -item.interval[0]).slice(0, EACH_END);
  const bottom = d3.sort(known.filter((item) => !top.includes(item)), (item) => item.interval[1]).slice(0, EACH_END);
  return d3.sort([...top, ...bottom], (item) => -item.value);
}

/** The like of effects, of which 0 is the middle: those that are surely above it, and those that are surely below; what is 0 is neither. */
function extremeEffects(items, digits) {
  const some = items.filter((item) => Math.abs(item.value) >= 0.5 * 10 ** -digits);
  if (items.length <= 2 * EACH_END) return d3.sort(items, (item) => -item.value);
  const top = d3.sort(some.filter((item) => item.value > 0), (item) => -item.interval[0]).slice(0, EACH_END);
  const bottom = d3.sort(some.filter((item) => item.value < 0), (item) => item.interval[1]).slice(0, EACH_END);
  return d3.sort([...top, ...bottom], (item) => -item.value);
}

/** Which of them are drawn, in words. */
function which(chosen, items) {
  const all = items.filter((item) => item.of >= FEWEST).length;
  return chosen.length < all ? `The ${EACH_END} surest at either end of ${all} that ${FEWEST} players or more had to do with.` : "";
}

/** Cards that are offered and hardly ever taken. */
function deadCards(section) {
  const { dead } = result;
  if (dead.length === 0) return;
  const items = dead.map((one) => ({
    label: `${card(one.card)}${one.taken_otherwise ? ` (${word(one.action)})` : ""}`, value: one.taken / one.offered, interval: [0, one.at_most], even: one.usual, one,
  }));
  const whole = items.filter(({ one }) => !one.taken_otherwise);
  const told = whole.length > 0 ? whole : items;
  chart(section, {
    title: whole.length > 0
      ? `${plural(whole.length, "card")} ${whole.length === 1 ? "is" : "are"} hardly ever taken though offered: ${whole.slice(0, 3).map((item) => item.label).join(", ")}${whole.length > 3 ? " …" : ""}`
      : `${plural(items.length, "card")} ${items.length === 1 ? "is" : "are"} hardly ever taken by one action, and by others they are`,
    note: `Players to whom a card was offered in a game, and who took it. At most 1 of 20 take these, also if all cards are asked at once; lines reach to the end of the exact 95% interval.${told.length > MOST ? ` The first ${MOST} of ${told.length}.` : ""}`,
    legend: [{ name: "took it when offered", color: "var(--first)" }, { name: "usual for this action", color: "var(--second)" }],
    columns: ["", "action", "offered to", "taken by", "at most", "at most, of all at once", "usual", "taken otherwise"],
    rows: dead.map((one) => [card(one.card), word(one.action), `${one.offered}`, `${one.taken}`, percent(one.at_most), percent(one.at_most_of_all), percent(one.usual), one.taken_otherwise ? "yes" : "no"]),
    draw: (width) => dots(width, told.slice(0, MOST), { label: "took it when offered", tickFormat: "%" }, "even"),
  });
}

function allCards(section) {
  for (const [action, counts] of d3.group(result.cards, (count) => count.action)) {
    const taken = counts.map((count) => shareItem(card(count.card), count.taken, null));
    const some = extremes(taken);
    if (some.length > 1) {
      chart(section, {
        title: `How many choose “${word(action)}” with a card when it is offered: ${some[0].label} most, ${some.at(-1).label} least`,
        note: `${which(some, taken)} ${INTERVAL}`,
        columns: ["", "players who chose it", "players to whom it was offered", "share", "95% interval"],
        rows: taken.map((item) => [item.label, `${item.count}`, `${item.of}`, percent(item.value), range(item.interval, percent)]),
        draw: (width) => dots(width, some, { label: "chose it when offered", tickFormat: "%" }, "even"),
      });
    }
    if (players > 1) winners(section, `Games won by those who chose “${word(action)}” with a card`, counts.map((count) => shareItem(card(count.card), count.won)));
  }
  const kept = result.kept.map((kept) => shareItem(`${card(kept.card)} (${word(kept.place)})`, kept.won));
  if (players > 1) winners(section, "Games won by those who have a card at the end", kept);
}

function winners(section, title, items) {
  const some = extremes(items);
  if (some.length < 2) return;
  const known = items.filter((item) => item.of >= FEWEST);
  chart(section, {
    title: `${title}: ${known.filter(off).length} of ${known.length} cards lie off the even share; by chance about ${Math.round(known.length / 20)} would`,
    note: `${which(some, items)} ${INTERVAL} It says what goes along with a card, not what it does: who is ahead can afford more.`,
    legend: [{ name: "games won by those who have it", color: "var(--first)" }, EVEN],
    columns: SHARES,
    rows: items.map(shareCells),
    draw: (width) => dots(width, some, share, "even"),
  });
}

// ---------------------------------------------------------------- what cards do

const EFFECTS = ["", "games", "with the card", "blanked", "difference", "95% interval", "q"];

/** An effect as a row of dots; hollow if no difference is shown. */
function effectItem(found, effect) {
  const about = `${number(effect.blanked)} → ${number(effect.with)} (${signed(effect.difference)})`;
  return { label: `${card(found.card)}\n${about}`, name: card(found.card), value: effect.difference, interval: effect.interval, hollow: !effect.shown, none: 0, of: effect.games, effect };
}

/** What each card does to points or wins of the seat that first has to do with it, or to the points of all. */
function effectsOf(section, { title, note, of, label, tickFormat }) {
  const items = effects.cards.filter((found) => of(found)).map((found) => effectItem(found, of(found)));
  const drawable = items.filter((item) => item.interval !== null && item.of >= FEWEST);
  const some = extremeEffects(drawable, tickFormat ? 4 : 2);
  if (some.length === 0) return;
  const shown = drawable.filter((item) => !item.hollow).length;
  const largest = d3.greatest(drawable, (item) => Math.abs(item.value));
  chart(section, {
    title: `${title}: shown for ${shown} of ${plural(drawable.length, "card")}; the largest difference is that of ${largest.name}`,
    note: `${some.length < drawable.length ? `The ${EACH_END} surest at most at either end of ${drawable.length}, less those that make no difference. ` : ""}${note} ${INTERVAL}`,
    legend: [{ name: "shown to differ (q is 0.05 at most)", color: "var(--first)" }, { name: "not shown", color: "var(--first)", hollow: true }, { name: "no difference", color: "var(--second)" }],
    columns: EFFECTS,
    rows: items.map(({ name, effect }) => [
      name, `${effect.games}`, number(effect.with), number(effect.blanked), signed(effect.difference),
      effect.interval ? range(effect.interval, signed) : "", effect.q === null ? "" : effect.q < 0.001 ? "< 0.001" : d3.format(".3f")(effect.q),
    ]),
    draw: (width) => dots(width, some, { label, tickFormat }, "none"),
  });
}

const BESIDE = ["", "games", "who begins with it", "the others", "difference", "95% interval", "q"];

/** Cards of a kind with which players begin, each beside the others in the same games: they are not blanked. */
function besideOthers(section, of, { title, label, tickFormat }) {
  for (const [name, found] of d3.group(effects.initial, (one) => one.kind)) {
    const items = found.filter((one) => one[of].interval !== null).map((one) => ({
      label: `${card(one.card)}\n${tickFormat ? d3.format("+.1%")(one[of].difference) : signed(one[of].difference)}`,
      value: one[of].difference, interval: one[of].interval, hollow: !one[of].shown, none: 0, of: one.games,
    }));
    const some = extremeEffects(items, tickFormat ? 4 : 2);
    const shown = items.filter((item) => !item.hollow).length;
    chart(section, {
      title: `${title}, of ${kind(name)}: ${shown} of ${plural(found.length, "card")} shown to differ from the others`,
      note: `Who begins with a card, less the mean of those who begin with others of its kind in the same games. ${INTERVAL}`,
      legend: [{ name: "shown to differ (q is 0.05 at most)", color: "var(--first)" }, { name: "not shown", color: "var(--first)", hollow: true }, { name: "as the others", color: "var(--second)" }],
      columns: BESIDE,
      rows: found.map((one) => [
        card(one.card), `${one.games}`, number(one[of].own), number(one[of].others), signed(one[of].difference), one[of].interval ? range(one[of].interval, signed) : "",
        one[of].q === null ? "" : one[of].q < 0.001 ? "< 0.001" : d3.format(".3f")(one[of].q),
      ]),
      draw: some.length === 0 ? undefined : (width) => dots(width, some, { label, tickFormat }, "none"),
    });
  }
}

function whatCardsDo(section) {
  const early = effects.early ? " In both games the card lies on top of its deck." : "";
  const { unfinished, without_blank: same } = effects;
  const stopped = unfinished ? ` Stopped: ${unfinished.cards} of ${unfinished.of} cards are done.` : "";
  const note = `The same games with the card as it is and blanked.${early}${stopped}`;
  effectsOf(section, { title: "Points of the seat that first has to do with a card", note, of: (found) => found.points, label: "difference in points" });
  effectsOf(section, { title: "Games that this seat wins", note, of: (found) => found.wins, label: "difference in games won", tickFormat: "+%" });
  effectsOf(section, { title: "Points of a player, over all players", note, of: (found) => found.all, label: "difference in points" });
  besideOthers(section, "points", { title: "Points of who begins with a card", label: "points beside the others" });
  besideOthers(section, "wins", { title: "Games won by who begins with a card", label: "games won beside the others", tickFormat: "+%" });
  // Once for all charts.
  const left = `Not asked, since what they do stands in the rules: ${same.map(card).join(", ")}.`;
  if (same.length && section.childElementCount > 0) section.before(element("p", { class: "note" }, left));
}

// ---------------------------------------------------------------- faults

function faults(section) {
  if (result.faults.length === 0) return;
  const items = result.faults.map((fault) => ({ label: fault.owner || "the rules", value: fault.games, fault }));
  chart(section, {
    title: `${plural(result.dropped, "game")} met a fault and ${result.dropped === 1 ? "is" : "are"} not counted`,
    wide: true,
    columns: ["games", "fault", "of", "where", "seed of the first", "after question"],
    rows: items.map(({ fault }) => [`${fault.games}`, fault.message, fault.owner, fault.place ?? "", `${fault.seed}`, `${fault.decision}`]),
    draw: (width) => bars(width, items.slice(0, MOST), { label: "games" }),
  });
}

// ---------------------------------------------------------------- the page

/** A time as people say it: no more exact than what it rests on. */
const minutes = (mean) => (mean < 10 ? plural(Math.round(mean * 2) / 2, "minute") : plural(Math.round(mean), "minute"));

begin(`${names.title ?? result.title}: a playtest`, [
  ["games", `${games} complete${result.distinct < games ? `, ${result.distinct} of them distinct,` : ""} of ${result.asked} asked for, ${result.dropped} dropped because of a fault${result.cut_off > 0 ? `, ${result.cut_off} cut off after the most rounds that there can be, since what ends the game never came about` : ""}${result.stopped ? "; stopped before the end" : ""}`],
  ["players", `${players}: ${result.agents.join(", ")}`],
  ["changes", result.changes.join("  ") || "none"],
  ["time", `about ${minutes(result.duration.minutes.mean)} if a decision takes ${result.duration.seconds_per_decision} seconds and they are taken one after the other (--pace)`],
  ...result.needed.map(({ measure, interval, effect }) => {
    const [what, size] = measure === "points" ? ["points of a player", "one point"] : [measure, "one percentage point"];
    return ["precision", `${what} are known to within ${size} after ${plural(interval, "game")}; a difference of ${size} is shown after ${d3.format(",")(effect)}, in four of five runs`];
  }),
  ["seed", `${result.seed}`],
  ["packs", packs(result.packs)],
  ["rules", `${result.game}, ${result.rules}`],
  ["program", `houserule ${result.version}`],
]);

if (games > 0) {
  points(part("Points"));
  if (players > 1) won(part("Games won"));
  honours(part("Table of honour"));
  leads(part("When the winner is settled"));
  strategiesOf(part("Which strategies win"));
  deadCards(part("Cards that hardly anybody takes"));
  course(part("The course of a game"));
  answers(part("What is done"));
  allCards(part("Cards"));
  if (effects !== null) whatCardsDo(part("What cards do"));
}
faults(part("Games that were dropped"));
end();
