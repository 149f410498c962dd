// Keeps a page of the league up to date, counts the clock down, and sends files. Text goes in as text, never as HTML
// of a file; what the server sends as the page's content is escaped there.
"use strict";
(() => {
  const page = document.body.dataset;
  const message = document.getElementById("message");
  const picker = document.getElementById("picker");
  const xsrf = { "X-XSRFToken": page.xsrf };
  let received = performance.now();
  let sending = false;

  const say = (lines, kind) => {
    if (!message) return;
    message.className = kind;
    message.textContent = lines.join("\n");
  };

  const fit = () => {
    const tables = document.querySelector("[data-rows]");
    if (tables) tables.style.setProperty("--rows", tables.dataset.rows);
  };

  const tick = () => {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const left = Math.max(0, Number(clock.dataset.left) - Math.floor((performance.now() - received) / 1000));
      const two = (value) => String(value).padStart(2, "0");
      const hours = Math.floor(left / 3600);
      clock.textContent = `${hours ? hours + ":" : ""}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
    }
  };

  const refresh = async () => {
    try {
      const answer = await fetch(`/content/${page.page}?version=${page.version}`, { redirect: "error" });
      if (answer.status === 403) { location.assign("/"); return; }
      if (message && message.className === "lost") say([], "");
      if (answer.status !== 200) return;
      page.version = answer.headers.get("X-League-Version");
      const open = [...document.querySelectorAll("#content details")].map((one) => one.open);
      document.getElementById("content").innerHTML = await answer.text();
      [...document.querySelectorAll("#content details")].forEach((one, place) => { one.open = Boolean(open[place]); });
      received = performance.now();
      fit();
      tick();
    } catch {
      say([page.lost], "lost");
    }
  };

  const busy = (on) => {
    sending = on;
    for (const button of document.querySelectorAll("main button")) button.disabled = on;
  };

  const send = async (url, options) => {
    if (sending) return;
    busy(true);
    say([page.sending], "sending");
    try {
      const answer = await fetch(url, { ...options, headers: xsrf, redirect: "error" });
      if (answer.status === 413) { say([page.too_large], "refused"); return; }
      const told = await answer.json();
      say(told.lines, told.accepted ? "accepted" : "refused");
    } catch {
      say([page.lost], "refused");
    } finally {
      busy(false);
    }
    await refresh();
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.sort) {
      picker.dataset.sort = button.dataset.sort;
      picker.dataset.target = button.dataset.target || "";
      picker.accept = button.dataset.sort === "attacks" ? ".json" : ".tsv,.csv,.txt,.parquet,.zip,.gz";
      picker.value = "";
      picker.click();
    } else if (button.dataset.takeBack) {
      const name = encodeURIComponent(button.dataset.takeBack);
      send(`/handed-in/${button.dataset.from}/${name}`, { method: "DELETE" });
    }
  });

  picker?.addEventListener("change", () => {
    const file = picker.files[0];
    if (!file) return;
    const target = picker.dataset.target ? `?target=${encodeURIComponent(picker.dataset.target)}` : "";
    const url = `/handed-in/${picker.dataset.sort}/${encodeURIComponent(file.name)}${target}`;
    send(url, { method: "PUT", body: file });
  });

  if (page.page) {
    setInterval(tick, 500);
    setInterval(refresh, 2000);
    fit();
    tick();
  }
})();
