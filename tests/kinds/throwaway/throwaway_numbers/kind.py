"""The declaration of numbers."""

from __future__ import annotations

from insanonym_core.kinds import Demo, Kind
from insanonym_core.results.headlines import Headline, one_minus, only_value

CLOSENESS = ("utility.closeness",)
KIND = Kind(
    name="numbers",
    title="Numbers",
    data_title="numbers",
    methods="throwaway_numbers.methods",
    measures="throwaway_numbers.measures",
    demos={"demo:numbers": Demo("Forty numbers", "throwaway_numbers.data:demo")},
    presets="throwaway_numbers",
    headlines={
        "privacy": (Headline("distance", "Privacy", "1 − closeness", CLOSENESS, one_minus),),
        "utility": (Headline("closeness", "Utility", "closeness", CLOSENESS, only_value),),
    },
    read="throwaway_numbers.data:read",
    make="throwaway_numbers.data:make",
    publication="throwaway_numbers.data:PUBLICATION",
    formats="CSV",
    french={"Numbers": "Nombres", "Closeness": "Proximité", "Noise on numbers": "Bruit sur les nombres"},
    panel="throwaway_numbers.panel:NumbersPanel",
)
