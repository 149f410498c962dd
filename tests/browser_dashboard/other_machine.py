"""A student's machine in another network: what it gets of a shared dashboard, as JSON.

    python -m tests.browser_dashboard.other_machine LINK PORT…

PORTs are those on which the other machine listens besides.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any
from urllib.parse import urlsplit

from tests.browser_dashboard.protocol import PageError, ProtocolPage


def is_reached(host: str, port: int) -> bool:
    """Whether somebody answers there."""
    try:
        socket.create_connection((host, port), 2).close()
    except OSError:
        return False
    return True


async def visited(link: str, ports: list[int]) -> dict[str, Any]:
    """Without the token, with a wrong one, with the right one; past the limit, and after somebody left."""
    home, _, token = link.partition("?token=")
    stranger, first, second = (ProtocolPage(home) for _ in range(3))
    found: dict[str, Any] = {
        "without": (await stranger.get("")).code,
        "wrong": (await stranger.get("?token=0000000000000000")).code,
    }
    welcome = await first.get(f"?token={token}")
    found["right"] = welcome.code
    found["told"] = token in welcome.body.decode()
    await first.open("table")
    found["moved"] = await first.move() > 0
    for name, page in (("kernel of a stranger", stranger), ("kernel", first)):
        found[name] = (await page.get(f"api/kernels/{first.kernel}")).code
    stranger.kernel = first.kernel
    try:
        await stranger._connect()
    except Exception as error:
        found["channels of a stranger"] = getattr(error, "code", str(error))
    await second.get(f"?token={token}")
    try:
        await second.open("table")
    except PageError as error:
        found["past the limit"] = str(error)
    await first.close()
    await asyncio.sleep(1)
    await second.open("table")
    found["after somebody left"] = await second.move() > 0
    await second.close()
    found["errors"] = [*first.errors, *second.errors]
    host = urlsplit(link).hostname or ""
    found["other ports"] = [port for port in ports if is_reached(host, port)]
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(visited(sys.argv[1], [int(one) for one in sys.argv[2:]]))))  # noqa: T201
