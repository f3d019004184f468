// A report page within the page: it runs its charts in a sandbox without an origin, a network or storage.
import { useEffect, useRef, useState } from "preact/hooks";

/** Shows a report. */
export function Report({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [large, setLarge] = useState(false);
  useEffect(() => {
    const ready = (event: MessageEvent): void => {
      if (event.source === frame.current?.contentWindow && event.data?.report === "ready") frame.current?.contentWindow?.postMessage({ report: html }, "*");
    };
    addEventListener("message", ready);
    // A new report in a frame that shows one already.
    if (frame.current?.dataset.shown) frame.current.src = "report.html";
    if (frame.current) frame.current.dataset.shown = "yes";
    return () => removeEventListener("message", ready);
  }, [html]);
  useEffect(() => {
    if (!large) return;
    const escape = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setLarge(false);
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, [large]);
  return (
    <div class={large ? "report large" : "report"}>
      <button type="button" onClick={() => setLarge(!large)}>
        {large ? "Back to the workbench" : "Over the whole page"}
      </button>
      <iframe ref={frame} src="report.html" sandbox="allow-scripts" title={title} />
    </div>
  );
}
