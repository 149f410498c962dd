"""HTML as elements: whatever is put into them is escaped when they are written."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

Child = Element | str | None


def element(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Element:
    """An element; `class_` and `data_x` are the attributes class and data-x, None and False leave one out.

    >>> to_html(element("p", "a < b", element("b", "!"), class_="note"))
    '<p class="note">a &lt; b<b>!</b></p>'
    """
    made = Element(name)
    for key, value in attributes.items():
        if value is not None and value is not False:
            made.set(key.rstrip("_").replace("_", "-"), "" if value is True else str(value))
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child and last is None:
            made.text = (made.text or "") + child
        elif child and last is not None:
            last.tail = (last.tail or "") + child
    return made


def to_html(root: Element) -> str:
    """Write an element as HTML."""
    return tostring(root, encoding="unicode", method="html")


def table(heads: list[str], rows: list[list[Child]], *, caption: str = "", class_: str = "") -> Element:
    """A table; a head that begins with '>' is of a column of numbers, to the right."""
    numeric = [head.startswith(">") for head in heads]
    return element(
        "div",
        element(
            "table",
            element("caption", caption) if caption else None,
            element(
                "thead",
                element(
                    "tr",
                    *(
                        element("th", head.removeprefix(">"), scope="col", class_="number" if right else None)
                        for head, right in zip(heads, numeric, strict=True)
                    ),
                ),
            ),
            element(
                "tbody",
                *(
                    element(
                        "tr",
                        *(
                            element("td", cell, class_="number" if right else None)
                            for cell, right in zip(row, numeric, strict=True)
                        ),
                    )
                    for row in rows
                ),
            ),
            class_=class_ or None,
        ),
        class_="wide",
    )
