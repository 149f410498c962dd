"""Files as people have them, made here: workbooks, tracks, texts of every sort."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return raw.getvalue()


def workbook(*sheets: Mapping[str, str | float]) -> bytes:
    """An .xlsx of sheets: cell → text or number; a text of the form date:45000 is a number shown as a "
    "date."""
    names = [f"Sheet {number}" for number in range(1, len(sheets) + 1)]
    parts = {f"xl/worksheets/sheet{number}.xml": _sheet(cells) for number, cells in enumerate(sheets, 1)}
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{_SHEET}.worksheet+xml"/>' for name in parts
    )
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
        for number, name in enumerate(names, 1)
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    relations += f'<Relationship Id="rId99" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return zipped(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{_TYPES}"><Default Extension="rels" '
                'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                '<Default Extension="xml" ContentType="application/xml"/>'
                f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>'
                f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET}.styles+xml"/>{overrides}</Types>'
            ),
            "_rels/.rels": (
                f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
                f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
            ),
            "xl/workbook.xml": (
                f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
            ),
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
            "xl/styles.xml": (
                f'<styleSheet xmlns="{_MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
                "</styleSheet>"
            ),
            **parts,
        }
    )


def _sheet(cells: Mapping[str, str | float]) -> str:
    rows: dict[int, list[str]] = {}
    for place, value in cells.items():
        row = int("".join(filter(str.isdigit, place)))
        if isinstance(value, str) and value.startswith("date:"):
            cell = f'<c r="{place}" s="1"><v>{value[5:]}</v></c>'
        elif isinstance(value, str):
            cell = f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
        else:
            cell = f'<c r="{place}"><v>{value!r}</v></c>'
        rows.setdefault(row, []).append(cell)
    body = "".join(f'<row r="{row}">{"".join(found)}</row>' for row, found in sorted(rows.items()))
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'


def grid(rows: list[list[str | float]], first: int = 1) -> dict[str, str | float]:
    """The cells of rows, from the first column on."""
    return {
        f"{'ABCDEFGHIJ'[place]}{number}": value
        for number, row in enumerate(rows, first)
        for place, value in enumerate(row)
        if value != ""
    }


def gpx(points: list[tuple[str, float, float]]) -> bytes:
    inside = "".join(
        f'<trkpt lat="{latitude}" lon="{longitude}"><time>{when}</time></trkpt>'
        for when, latitude, longitude in points
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="test" '
        f'xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{inside}</trkseg></trk></gpx>'
    ).encode()


def plt(points: list[tuple[str, float, float]]) -> bytes:
    head = (
        "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,Track,0,0,2,84\r\n0\r\n"
    )
    lines = [f"{lat},{lon},0,492,39744.1,{when[:10]},{when[11:19]}\r\n" for when, lat, lon in points]
    return (head + "".join(lines)).encode()
