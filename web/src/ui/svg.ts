// Pictures that the program draws, without anything that could do more than be seen.

const ELEMENTS = new Set(["svg", "g", "title", "desc", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan"]);
const ATTRIBUTES = new Set(
  (
    "viewBox width height x y x1 y1 x2 y2 cx cy r rx ry d points transform fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap " +
    "stroke-linejoin stroke-opacity opacity font-family font-size font-weight font-style text-anchor dominant-baseline dx dy role aria-label data-space paint-order"
  ).split(" "),
);
const NAMESPACE = "http://www.w3.org/2000/svg";

function copy(from: Element): SVGElement | null {
  if (!ELEMENTS.has(from.localName)) return null;
  const to = document.createElementNS(NAMESPACE, from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.has(name) && !/url\s*\(|javascript:/i.test(value)) to.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? "");
    else if (child instanceof Element) {
      const made = copy(child);
      if (made) to.append(made);
    }
  }
  return to;
}

/** Reads the text of a picture and returns one that holds only shapes and words; `null` if it is no picture. */
export function readPicture(text: string): SVGElement | null {
  const whole = new DOMParser().parseFromString(text.includes("xmlns=") ? text : text.replace("<svg", `<svg xmlns="${NAMESPACE}"`), "image/svg+xml");
  return whole.documentElement.localName === "svg" ? copy(whole.documentElement) : null;
}

/** What the spaces of a drawn board say of themselves, by their names. */
export function titlesOf(text: string): [string, string][] {
  const spaces = [...(readPicture(text)?.querySelectorAll<SVGElement>("[data-space]") ?? [])];
  return spaces.map((space) => [space.dataset.space ?? "", space.querySelector("title")?.textContent ?? ""]);
}
