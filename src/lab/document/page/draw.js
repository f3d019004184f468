"use strict";
// Draws the charts of a report, which are data in the page: axes, bars, dots, bands and histograms. What they say stands in the page already.

// ---------------------------------------------------------------- the page

/** How wide a chart is on paper, in CSS pixels: A4 within its margins. */
const PAPER = 680;

const drawings = JSON.parse(document.getElementById("charts").textContent);
const places = [...document.querySelectorAll(".chart")];

/** Draws all charts: as wide as their places, or as told. What a chart shows is said to who does not see it by its title. */
function drawAll(width) {
  places.forEach((place, at) => {
    const room = width ?? place.clientWidth;
    if (room === 0) return;
    const picture = DRAWN[drawings[at].draw](room, drawings[at]);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", place.closest("figure").querySelector("h3")?.textContent ?? "");
    place.replaceChildren(picture);
  });
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
  return Plot.plot({ marginRight: 24, marginTop: 12, marginBottom: 44, ...options, style: { fontSize: `${FONT}px`, fontFamily: "inherit" } });
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
    x: across(width - left - 24, { nice: true, ...x }),
    y: { type: "band", domain: d3.range(items.length), padding: 0.25, label: null },
    marks: [Plot.axisY({ tickSize: 0, tickFormat: (at) => labels[at].join("\n"), lineHeight: 1.2 }), ...marks((item) => items.indexOf(item))],
  });
}

/** An axis as the page's data describes it, for Plot. */
const axis = ({ label, format, domain }) => ({ label, ...(format ? { tickFormat: format } : {}), ...(domain ? { domain } : {}) });

/** Rows of bars from 0; each with `value` and, where it is known, `interval`. */
function bars(width, { axis: x, rows: items }) {
  return rows(width, items, {
    x: axis(x),
    marks: (at) => [
      Plot.barX(items, { y: at, x: "value", fill: (item) => (item.part ? "var(--part)" : "var(--first)") }),
      Plot.ruleX([0]),
      Plot.ruleY(items.filter((item) => item.interval), {
        y: at, x1: (item) => item.interval[0], x2: (item) => item.interval[1], stroke: "var(--ink)", strokeWidth: 2, marker: "tick",
      }),
    ],
  });
}

/** Rows of points with intervals; `even` is where a row would lie if nothing mattered, or null. */
function dots(width, { axis: x, rows: items }) {
  return rows(width, items, {
    x: axis(x),
    marks: (at) => [
      Plot.tickX(items.filter((item) => item.even !== null), { y: at, x: "even", stroke: "var(--second)", strokeWidth: 3 }),
      Plot.ruleY(items.filter((item) => item.interval), { y: at, x1: (item) => item.interval[0], x2: (item) => item.interval[1], stroke: "var(--first)", strokeWidth: 2 }),
      Plot.dot(items, { y: at, x: "value", r: 5, fill: (item) => (item.hollow ? "var(--paper)" : "var(--first)"), stroke: "var(--first)", strokeWidth: 2 }),
    ],
  });
}

/** The bins of a histogram, each with its share of all. */
function bins({ width, from, counts }) {
  const all = d3.sum(counts);
  return counts.map((count, at) => ({ from: from + at * width, to: from + (at + 1) * width - 1, count, share: count / all }));
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

/**
 * Histograms on top of each other, the first filled and the second as a line; `scale` is what a step of the numbers is worth. A mean
 * difference is marked beside no difference.
 */
function distribution(width, { label, of, scale, histograms, mean }) {
  const marks = mean === null ? [] : [Plot.ruleX([0], { stroke: "var(--ink)", strokeDasharray: "4 3" })];
  if (mean?.interval) marks.push(Plot.rectX([mean.interval], { x1: "0", x2: "1", fill: "var(--second)", fillOpacity: 0.35 }));
  if (mean) marks.push(Plot.ruleX([mean.value], { stroke: "var(--second)", strokeWidth: 2.5 }));
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

/** A line from round to round with the band of its intervals, where there are any; without an axis' name it is a small one among others. */
function course(width, { axis: y, points }, height = 260) {
  const { at: last, end: ends } = points.at(-1);
  const step = Math.ceil(points.length / Math.max(2, (width - 50) / 36));
  const ticks = points.map((point) => point.at).filter((at) => at === last || ((at - points[0].at) % step === 0 && last - at >= step));
  const { label, ...format } = y ? axis(y) : { label: null };
  const low = (point) => point.interval[0];
  const high = (point) => point.interval[1];
  return plot({
    width, height, marginLeft: 46, marginTop: label ? 30 : 10, marginBottom: label ? 44 : 26,
    x: { ticks, tickFormat: (at) => (ends && at === last ? "end" : `${at}`), label: label ? "round begins" : null, labelAnchor: "center", labelArrow: "none", labelOffset: 40 },
    y: upwards({ label, ...format, ticks: label ? 5 : 3, zero: true, nice: true }),
    marks: [
      Plot.ruleY([0]),
      Plot.areaY(points.filter((point) => point.interval), { x: "at", y1: low, y2: high, fill: "var(--first)", fillOpacity: 0.25 }),
      Plot.line(points, { x: "at", y: "value", stroke: "var(--first)", strokeWidth: 2 }),
      Plot.dot(points, { x: "at", y: "value", fill: "var(--first)", r: 2.5 }),
    ],
  });
}

/** Several lines, each with a scale of its own. */
function courses(width, { each }) {
  const columns = Math.max(2, Math.floor((width + 16) / 220));
  const room = (width - (columns - 1) * 16) / columns;
  const small = document.createElement("div");
  small.className = "small";
  small.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
  for (const [name, points] of each) {
    const one = document.createElement("div");
    const heading = document.createElement("h4");
    heading.textContent = name;
    one.append(heading, course(room, { points }, 140));
    small.append(one);
  }
  return small;
}

const DRAWN = { bars, dots, distribution, course, courses };
drawAll();
