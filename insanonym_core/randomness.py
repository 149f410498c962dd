"""Where random draws come from: a generator handed in, one for each step, nothing global.

A seed is for lessons and for repeating a figure. A real release has none: then every step starts from the
operating system's randomness, and pseudonyms are drawn from it directly.
"""

from __future__ import annotations

import secrets
import zlib

import numpy as np


class SystemGenerator(np.random.Generator):
    """A generator that nobody can replay; its type tells a method so."""


def step_generator(seed: int | None, number: int, name: str) -> np.random.Generator:
    """The generator of step `number` called `name`: adding a step does not change the draws of others."""
    if seed is None:
        return SystemGenerator(np.random.PCG64(secrets.randbits(256)))
    return np.random.default_rng([seed, number, zlib.crc32(name.encode())])


def random_tokens(generator: np.random.Generator, count: int, digits: int = 12) -> list[str]:
    """`count` different hexadecimal tokens; without a seed they come from the operating system."""
    tokens: dict[str, None] = {}
    while len(tokens) < count:
        wanted = count - len(tokens)
        size = (digits + 1) // 2
        raw = (
            secrets.token_bytes(wanted * size)
            if isinstance(generator, SystemGenerator)
            else generator.bytes(wanted * size)
        )
        for start in range(0, len(raw), size):
            tokens[raw[start : start + size].hex()[:digits]] = None
    return list(tokens)
