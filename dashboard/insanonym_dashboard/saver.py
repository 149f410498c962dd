"""Downloads: a file made here is handed to the browser."""

from __future__ import annotations

import anywidget


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
