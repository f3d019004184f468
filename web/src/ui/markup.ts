// Text of the language server with some markup in it, without anything that could do more than be read.

const ELEMENTS = new Set("p br code pre em strong b i ul ol li h1 h2 h3 h4 h5 h6 blockquote table thead tbody tr th td hr span div".split(" "));

function copy(from: Node, to: Node): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(child.textContent ?? ""));
    else if (child instanceof Element) {
      const inner = ELEMENTS.has(child.localName) ? document.createElement(child.localName) : document.createDocumentFragment();
      const isProgram = child.localName === "script" || child.localName === "style";
      if (!isProgram) copy(child, inner);
      if (child.localName === "span" && /^[\w\s-]*$/.test(child.className)) (inner as HTMLElement).className = child.className;
      to.appendChild(inner);
    }
  }
}

/** Keeps only what is text and its markup. */
export function cleanMarkup(html: string): string {
  const made = document.createElement("div");
  copy(new DOMParser().parseFromString(html, "text/html").body, made);
  return made.innerHTML;
}
