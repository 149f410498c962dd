"""Random generators: each step gets one of its own as an argument; there is no global state.

Three origins, told apart by the type of the generator:

- demonstration data with a seed: a plain generator, everything repeats, pseudonyms too;
- somebody's own data with a seed, or with the secret of a dashboard session: an OwnDataGenerator. Its draws
  also depend on the content of the data, and pseudonyms still come from the operating system;
- no seed: a SystemGenerator, which nobody can replay.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from insanonym_core.numeric.arrays import Ints


class SystemGenerator(np.random.Generator):
    """A generator seeded by the operating system; methods recognise it by its type."""


class OwnDataGenerator(np.random.Generator):
    """Repeatable draws over somebody's own data; pseudonyms are not drawn from it."""


@dataclass(frozen=True)
class Draws:
    """The origin of the draws of one run.

    `digest` is that of somebody's own data; None for demonstration data. `secret` takes the place of a seed
    in a dashboard session. Draws over own data depend on all steps so far: two releases with the same noise,
    at two lengths or over places that were rounded before, could be subtracted from each other.
    """

    seed: int | None = None
    digest: bytes | None = None
    secret: bytes | None = field(default=None, repr=False)

    @property
    def repeatable(self) -> bool:
        """Whether the same run gives the same draws again."""
        return self.seed is not None or self.secret is not None

    def generator(self, number: int, name: str, steps_so_far: str) -> np.random.Generator:
        """The generator of the `number`-th step called `name`.

        In demonstration data, adding another step does not change its draws.
        """
        if not self.repeatable:
            return SystemGenerator(np.random.PCG64(secrets.randbits(256)))
        if self.digest is None and self.seed is not None:
            return np.random.default_rng([self.seed, number, zlib.crc32(name.encode())])
        key = self.secret if self.secret is not None else str(self.seed).encode()
        step = hashlib.blake2b(f"{number} {name} {steps_so_far}".encode(errors="surrogatepass"), key=key)
        step.update(self.digest or b"")
        return OwnDataGenerator(np.random.PCG64(int.from_bytes(step.digest())))


def content_digest(texts: Iterable[Iterable[str]], arrays: Iterable[np.ndarray]) -> bytes:
    """A digest of texts and arrays, in their order."""
    digest = hashlib.blake2b(digest_size=32)
    for group in texts:
        raw = [text.encode(errors="surrogatepass") for text in group]
        digest.update(b"".join(len(one).to_bytes(8) + one for one in raw))
        digest.update(b"\xff" * 8)
    for array in arrays:
        digest.update(f"{array.dtype.str} {len(array)}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def step_generator(seed: int | None, number: int, name: str) -> np.random.Generator:
    """The generator of a step on demonstration data."""
    return Draws(seed).generator(number, name, "")


def random_tokens(generator: np.random.Generator, count: int, digits: int = 12) -> list[str]:
    """`count` different hexadecimal tokens; from the operating system unless the data is a demonstration."""
    drawn_by_system = isinstance(generator, SystemGenerator | OwnDataGenerator)
    tokens: dict[str, None] = {}
    while len(tokens) < count:
        wanted = count - len(tokens)
        size = (digits + 1) // 2
        raw = secrets.token_bytes(wanted * size) if drawn_by_system else generator.bytes(wanted * size)
        for start in range(0, len(raw), size):
            tokens[raw[start : start + size].hex()[:digits]] = None
    return list(tokens)


def random_pseudonyms(generator: np.random.Generator, count: int) -> tuple[list[str], Ints]:
    """Sorted tokens, and for each of `count` owners the place of theirs.

    Which owner gets which token is drawn like the tokens themselves: a permutation that somebody can replay
    would undo the pseudonyms whatever they look like.
    """
    if isinstance(generator, OwnDataGenerator):
        generator = Draws().generator(0, "pseudonyms", "")
    return sorted(random_tokens(generator, count)), generator.permutation(count)
