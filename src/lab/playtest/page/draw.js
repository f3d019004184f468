"use strict";
// What the charts of both pages share. Everything that comes from rules and cards reaches the page as text, never as HTML.

// A seed has more digits than a number has here. Within a text the quotation marks would have backslashes.
const data = document.getElementById("data").textContent.replaceAll(/"seed":(\d+)/g, '"seed":"$1"');
const { result, names, cards, opening, conclusion, headline, sure, effects } = JSON.parse(data);

// ---------------------------------------------------------------- words and numbers

const known = (id) => names.words[id] ?? names.kind[id];
/** What a word of the rules is called; what stands behind a point only counts. */
function word(id) {
  const [, stem, count] = id.match(/^([^.]*)(.*)$/s);
  return known(id) ?? (known(stem) ?? stem).replaceAll("_", " ") + count;
}
/** What a kind of cards is called. */
const kind = (id) => names.kind[id] ?? id.replaceAll("_", " ");
/** What a card is called. */
const card = (id) => cards[id] ?? id.replaceAll("_", " ");

/** As many digits as one cares for. */
const number = (value) => d3.format(Math.abs(value) >= 99.95 ? ",.0f" : Math.abs(value) >= 9.995 ? ".1f" : ".2f")(value);
const signed = (value, digits = 2) => d3.format(`+.${digits}f`)(value);
const percent = d3.format(".1%");
const range = ([low, high], format = number) => `${format(low)} to ${format(high)}`;
const plural = (count, one) => `${d3.format(",")(count)} ${one}${count === 1 ? "" : "s"}`;

// ---------------------------------------------------------------- the page

const page = document.getElementById("page");
const drawn = [];
/** How wide a chart is on paper, in CSS pixels: A4 within its margins. */
const PAPER = 680;

/** An element with attributes and children; texts stay texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Heading, opening and what every figure depends on. */
function begin(title, facts) {
  page.append(element("h1", {}, title), element("p", { class: "opening" }, opening));
  if (headline) page.append(element("p", { class: "headline" }, headline));
  const [heading, sentences] = conclusion;
  if (sentences.length > 0) {
    const list = sentences.length > 1 || heading !== "What is found" ? "ol" : "ul";
    page.append(element("h2", {}, heading), element(list, { class: "findings" }, ...sentences.map((sentence) => element("li", {}, `${sentence}.`))));
    if (list === "ol") page.append(element("p", { class: "note" }, "Intervals of findings are wider than those below, since findings are chosen from many."));
  }
  page.append(element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
}

/** A fact of the list at the head, if it is known. */
const fact = (name, value) => (value ? [[name, value]] : []);

/** What is changed, as text before and after. */
function ruleChanges(section, changes) {
  if (!changes || changes.length === 0) return;
  const cell = (name, text) => element(name, {}, text === null ? "" : element("pre", {}, text));
  const row = (change) => element("tr", {}, element("td", {}, change.address), cell("td", change.before), cell("td", change.after));
  const head = element("tr", {}, ...["", "without the change", "with it"].map((name) => element("th", { scope: "col" }, name)));
  section.append(element("figure", { class: "wide" },
    element("h3", {}, `The change concerns ${changes.length === 1 ? `one place: ${changes[0].address}` : `${changes.length} places`}`),
    element("div", { class: "table code", tabindex: "0" }, element("table", {}, head, ...changes.map(row))),
  ));
}

/** The packs in a line. */
const packs = (used) => used.map((pack) => `${pack.name} ${pack.version} (${pack.hash})`).join(", ") || "none";

/** A part of the page, which `chart` fills. */
function part(title) {
  const section = element("section");
  page.append(element("h2", {}, title), section);
  return section;
}

/** Takes parts away in which nothing has been drawn. */
function end() {
  if (sure) page.append(element("p", { class: "note" }, `${sure.trim().replaceAll(/ {2,}|\n/g, "; ")}.`));
  for (const section of page.querySelectorAll("section:empty")) {
    section.previousSibling.remove();
    section.remove();
  }
  drawAll();
}

/**
 * A chart: `title` says in words what is to be seen, `note` how it is meant, `draw(width)` makes what is shown, and below lie the figures,
 * `rows` under `columns`. Where there is nothing to draw, there are the figures.
 */
function chart(section, { title, note, legend, wide, columns, rows, draw }) {
  const place = element("div", { class: "chart" });
  const cells = (name, row) => element("tr", {}, ...row.map((cell) => element(name, name === "th" ? { scope: "col" } : {}, cell)));
  const table = element("table", {}, cells("th", columns), ...rows.map((row) => cells("td", row)));
  section.append(element("figure", wide ? { class: "wide" } : {},
    element("h3", {}, title),
    legend ? element("p", { class: "legend" }, ...legend.map(swatch)) : null,
    place,
    note ? element("figcaption", {}, note) : null,
    element("details", draw ? {} : { open: "" }, element("summary", {}, "the figures"), element("div", { class: "table", tabindex: "0" }, table)),
  ));
  if (draw) drawn.push({ place, draw, title });
}

/** Says to who does not see a picture what it shows; the figures stand below it. */
function named(picture, title) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", title);
  return picture;
}

function swatch({ name, color, hollow }) {
  const mark = element("i", { style: `border-color: ${color}; background: ${hollow ? "none" : color}` });
  return element("span", {}, mark, name);
}

function drawAll(width) {
  for (const { place, draw, title } of drawn) {
    const room = width ?? place.clientWidth;
    if (room > 0) place.replaceChildren(named(draw(room), title));
  }
}

let shown = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth !== shown) {
    shown = window.innerWidth;
    requestAnimationFrame(() => drawAll());
  }
});
window.addEventListener("beforeprint", () => drawAll(PAPER));
window.addEventListener("afterprint", () => drawAll());

// ---------------------------------------------------------------- charts

const FONT = 13;
const ruler = document.createElement("canvas").getContext("2d");

/** How many pixels a text takes. */
function length(text) {
  ruler.font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}

/** The lines of a text where no line may be longer; words that are too long are broken. */
function folded(text, most) {
  const lines = [];
  for (const line of text.split("\n")) {
    let present = "";
    for (const piece of line.split(/(?<=\s|[-/_])/)) {
      for (const part of length(piece) > most ? piece : [piece]) {
        if (present && length((present + part).trimEnd()) > most) {
          lines.push(present.trimEnd());
          present = "";
        }
        present += part;
      }
    }
    lines.push(present.trimEnd());
  }
  return lines;
}

/** A plot in the page's type; without scales of its own for colours. */
function plot(options) {
  return Plot.plot({ marginRight: 20, marginTop: 12, marginBottom: 44, ...options, style: { fontSize: `${FONT}px`, fontFamily: "inherit" } });
}

/** An axis across the bottom, with few enough ticks for the width and its name in the middle. */
function across(width, options) {
  return { grid: true, labelAnchor: "center", labelArrow: "none", labelOffset: 40, ticks: Math.max(2, Math.floor(width / 80)), ...options };
}

/** An axis up the left side. */
const upwards = (options) => ({ grid: true, labelArrow: "none", labelAnchor: "top", ticks: 5, ...options });

/**
 * Rows with a label each, one under another. `marks(at)` makes what is drawn, where `at(row)` is the row's place; lines of a label are
 * parted by "\n".
 */
function rows(width, items, { x, marks }) {
  const labels = items.map((item) => folded(item.label, width * 0.46 - 14));
  const left = Math.max(...labels.flat().map(length)) + 14;
  const most = Math.max(...labels.map((lines) => lines.length));
  return plot({
    width,
    height: items.length * Math.max(24, most * 16 + 8) + 12 + 44,
    marginLeft: left,
    x: across(width - left - 20, { nice: true, ...x }),
    y: { type: "band", domain: d3.range(items.length), padding: 0.25, label: null },
    marks: [Plot.axisY({ tickSize: 0, tickFormat: (at) => labels[at].join("\n"), lineHeight: 1.2 }), ...marks((item) => items.indexOf(item))],
  });
}

/** Rows of bars from 0; each with `value` and, where it is known, `interval`. */
function bars(width, items, x) {
  return rows(width, items, {
    x,
    marks: (at) => [
      Plot.barX(items, { y: at, x: "value", fill: (item) => (item.part ? "var(--part)" : "var(--first)") }),
      Plot.ruleX([0]),
      Plot.ruleY(items.filter((item) => item.interval), {
        y: at, x1: (item) => item.interval[0], x2: (item) => item.interval[1], stroke: "var(--ink)", strokeWidth: 2, marker: "tick",
      }),
    ],
  });
}

/** Rows of points with intervals; `even` is where each row would lie if it made no difference, or null. */
function dots(width, items, x, even) {
  return rows(width, items, {
    x,
    marks: (at) => [
      Plot.tickX(even ? items : [], { y: at, x: even, stroke: "var(--second)", strokeWidth: 3 }),
      Plot.ruleY(items, { y: at, x1: (item) => item.interval[0], x2: (item) => item.interval[1], stroke: "var(--first)", strokeWidth: 2 }),
      Plot.dot(items, { y: at, x: "value", r: 5, fill: (item) => (item.hollow ? "var(--paper)" : "var(--first)"), stroke: "var(--first)", strokeWidth: 2 }),
    ],
  });
}

/** The bins of a histogram, each with its share of all. */
function bins({ width, from, counts }) {
  const all = d3.sum(counts);
  return counts.map((count, at) => ({ from: from + at * width, to: from + (at + 1) * width - 1, count, share: count / all }));
}

/** The value below or at which such a share of a histogram lies. */
function quantile(histogram, share) {
  let sum = 0;
  return bins(histogram).find((bin) => (sum += bin.share) >= share - 1e-12)?.to;
}

/**
 * How wide bins are drawn: few games in few bins, without spikes of chance; by Rice's rule twice the cube root of how many there are, or
 * twelve where that is less.
 */
function binWidth({ width, counts }) {
  const most = Math.max(12, 2 * Math.cbrt(d3.sum(counts)));
  return Math.ceil(counts.length / most) * width;
}

/** The bins of a histogram put together to such a width. They begin at its multiples, so that two histograms have the same. */
function drawnBins(histogram, size) {
  const together = (within) => ({ count: d3.sum(within, (bin) => bin.count), share: d3.sum(within, (bin) => bin.share) });
  const wide = d3.rollups(bins(histogram), together, (bin) => Math.floor(bin.from / size));
  return wide.map(([at, found]) => ({ from: at * size, to: (at + 1) * size - 1, ...found }));
}

const varies = (histogram) => histogram.counts.length > 1;
const binName = ({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`);

/** Histograms on top of each other, the first filled and the second as a line; `scale` is what a step of the numbers is worth. */
function distribution(width, histograms, { label, of, scale = 1, marks = [] }) {
  const edges = (bin) => ({ x1: (bin.from - 0.5) * scale, x2: (bin.to + 0.5) * scale, y: bin.share });
  const [first, second] = histograms.map((histogram) => drawnBins(histogram, binWidth(histograms[0])).map(edges));
  const steps = (second ?? []).flatMap((bin) => [{ x: bin.x1, y: bin.y }, { x: bin.x2, y: bin.y }]);
  // Only whole numbers come up.
  const whole = (ticks) => (scale === 1 ? ticks.filter(Number.isInteger) : ticks);
  const ticks = whole(d3.ticks(first[0].x1, first.at(-1).x2, Math.max(2, Math.floor((width - 72) / 80))));
  const outline = second ? [{ x: second[0].x1, y: 0 }, ...steps, { x: second.at(-1).x2, y: 0 }] : [];
  return plot({
    width,
    height: Math.min(300, Math.max(220, width * 0.5)),
    marginLeft: 52,
    marginTop: 30,
    x: across(width - 72, { label, ticks, tickFormat: d3.format("~r") }),
    y: upwards({ label: `share of ${of}`, tickFormat: "%" }),
    marks: [
      Plot.rectY(first, { x1: "x1", x2: "x2", y: "y", fill: "var(--first)", insetLeft: 0.5, insetRight: 0.5 }),
      Plot.line(outline, { x: "x", y: "y", stroke: "var(--second)", strokeWidth: 2.5 }),
      Plot.ruleY([0]),
      ...marks,
    ],
  });
}
