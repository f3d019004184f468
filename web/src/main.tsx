// The page.
import { render } from "preact";
import { App, begin } from "./app";
import "./ui/theme";

render(<App />, document.getElementById("page") as HTMLElement);
void begin();

// `houserule serve` hands out the page itself, and writes a token into it: there nothing is kept that could grow old.
const served = document.querySelector<HTMLMetaElement>('meta[name="houserule-token"]')?.content;
if ("serviceWorker" in navigator) {
  if (served) void navigator.serviceWorker.getRegistrations().then((all) => all.forEach((one) => void one.unregister()));
  else void navigator.serviceWorker.register("service-worker.js").catch(() => {});
}
