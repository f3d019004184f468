// Shows a report page, whose charts are drawn by scripts of its own. Only within a sandbox, where it has an origin of its own: there it
// reaches neither the files of the page around it nor, by the policy above it, any network.
addEventListener("message", (event: MessageEvent) => {
  if (self.origin !== "null" || event.source !== parent || typeof event.data?.report !== "string") return;
  document.open();
  document.write(event.data.report);
  document.close();
});
if (parent !== self) parent.postMessage({ report: "ready" }, "*");
