// Says on the page when its kernel has ended, or does not answer.
//
// A page is worth nothing without its kernel: sliders would move and nothing follow. Jupyter tells of a kernel
// that died; whether one is still there after the connection broke is asked of the server, sooner than Jupyter
// would (it waits up to two minutes), so that a stumbling network is told from a server that was started anew.
(() => {
  const ASK = 2000; // milliseconds between two questions
  const PATIENCE = 3000; // a connection that breaks and is back by then is not worth a word
  const HELP = 10000; // after that long Jupyter's own attempts to connect again lie far apart: some more from us
  const GONE = [401, 403, 404, 410];
  const DEAD = ["dead", "restarting", "autorestarting", "terminating"];
  const banner = document.getElementById("insanonym-banner");
  const texts = JSON.parse(document.getElementById("insanonym-banners").textContent);
  let kernel = null;
  let ended = false;
  let asking = false;
  let connected = false; // at least once

  const show = (what) => {
    const said = texts[document.documentElement.lang] ?? texts.en;
    const [text, button] = banner.children;
    text.textContent = said[what];
    button.textContent = said.reload;
    button.hidden = what !== "ended"; // nothing to reload from while nobody answers
    banner.dataset.said = what;
    banner.hidden = false;
  };
  banner.lastElementChild.addEventListener("click", () => window.location.reload());

  const end = () => {
    if (ended) return;
    ended = true;
    show("ended");
    document.getElementById("insanonym-loading")?.remove();
    document.getElementById("rendered_cells").inert = true; // the last picture stays, controls would do nothing
    banner.lastElementChild.focus();
  };

  const config = () => JSON.parse(document.getElementById("jupyter-config-data").textContent);

  // Until the connection is back, or the server says that there is no such kernel.
  const ask = async () => {
    if (asking || ended) return;
    asking = true;
    const since = Date.now();
    let [helped, patience] = [since, HELP];
    const { baseUrl, kernelId } = config();
    while (!ended && kernel?.connectionStatus !== "connected") {
      try {
        const answer = await fetch(`${baseUrl}api/kernels/${kernelId}`, { cache: "no-store" });
        if (GONE.includes(answer.status)) end();
        // Not while a first connection is on its way: in a full room it takes long, and would begin anew.
        else if (answer.ok && connected && Date.now() - helped > patience) {
          helped = Date.now();
          patience *= 2;
          kernel.reconnect().catch(() => {});
        }
      } catch {
        if (!ended && Date.now() - since > PATIENCE) show("lost");
      }
      await new Promise((later) => setTimeout(later, ASK));
    }
    asking = false;
    if (!ended) banner.hidden = true;
  };

  const find = () => {
    kernel = window.jupyterapp?.widgetManager?.kernel ?? null;
    if (kernel === null) return false;
    kernel.statusChanged.connect((_, status) => { if (DEAD.includes(status)) end(); });
    connected = kernel.connectionStatus === "connected";
    kernel.connectionStatusChanged.connect((_, status) => {
      if (status === "connected") connected = true;
      else ask();
    });
    if (DEAD.includes(kernel.status)) end();
    return true;
  };
  const search = setInterval(() => { if (ended || find()) clearInterval(search); }, 250);
  // Without a kernel to connect to, voilà's page never gets that far.
  window.addEventListener("load", () => setTimeout(ask, 5000));
  // A page taken out of the browser's memory (back, forward) gave its kernel back when it was left.
  window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
  window.addEventListener("beforeunload", () => { ended = true; });
})();
