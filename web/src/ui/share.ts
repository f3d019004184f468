// Links to what is shown.
import { encodeLink, type Carried } from "../link";
import { tell } from "./live";

/** Puts a link to what is carried on the clipboard, and into the address of the page. */
export async function copyLink(carried: Carried): Promise<void> {
  const url = new URL(location.href);
  url.hash = await encodeLink(carried);
  const length = url.href.length;
  try {
    await navigator.clipboard.writeText(url.href);
    tell(length > 8000 ? `the link is copied; it has ${length} letters, which some programs cut` : "the link is copied");
  } catch {
    history.replaceState(null, "", url.hash);
    tell("the link stands in the address of the page");
  }
}
