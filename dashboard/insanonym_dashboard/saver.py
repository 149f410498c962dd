"""Downloads and the address bar: two small things only a page can do."""

from __future__ import annotations

import anywidget
import traitlets


class Saver(anywidget.AnyWidget):
    """Hands a file to the browser: it is made here, in memory, and saved there."""

    _esm = """
    function render({ model }) {
      model.on("msg:custom", (said, buffers) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob(buffers, { type: said.type }));
        link.download = said.name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      });
    }
    export default { render };
    """

    def save(self, name: str, content: bytes, kind: str = "application/octet-stream") -> None:
        """Offer a file."""
        self.send({"name": name, "type": kind}, [content])


class Address(anywidget.AnyWidget):
    """?tab=avatars&lang=fr: read when the page opens, rewritten when tab or language change."""

    tab = traitlets.Unicode("").tag(sync=True)
    lang = traitlets.Unicode("").tag(sync=True)
    known = traitlets.Bool(False).tag(sync=True)
    _esm = """
    function render({ model }) {
      const asked = new URLSearchParams(window.location.search);
      model.set("tab", asked.get("tab") ?? model.get("tab"));
      model.set("lang", asked.get("lang") ?? model.get("lang"));
      model.set("known", true);
      model.save_changes();
      const write = () => {
        const now = new URLSearchParams(window.location.search);
        for (const name of ["tab", "lang"]) if (model.get(name)) now.set(name, model.get(name));
        if (document.body.classList.contains("insanonym-page")) {
          window.history.replaceState(null, "", "?" + now.toString());
          document.documentElement.lang = model.get("lang") || "en";
        }
      };
      write();
      model.on("change:tab", write);
      model.on("change:lang", write);
    }
    export default { render };
    """
