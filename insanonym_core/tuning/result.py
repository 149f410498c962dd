"""What a search gives back: the recipe and its numbers, or which bound could not be kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from insanonym_core.experiment.run import entries_of
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.results.ceiling import Ceiling
from insanonym_core.results.headlines import Headline, defence
from insanonym_core.results.scores import JsonObject
from insanonym_core.texts import Phrase, join_texts, say
from insanonym_core.tuning.confirm import Confirmed
from insanonym_core.tuning.measure import Measured
from insanonym_core.tuning.trials import Tried, front_of_trials
from insanonym_core.tuning.wish import HEADLINES, Bound, Wish

_SEEN = 0.01  # an interval that two decimals show


@dataclass(frozen=True, eq=False)
class Tuned:
    """The end of a search. `confirmed` is what was measured again, if a trial kept the wish."""

    base: Recipe
    wish: Wish
    trials: tuple[Tried, ...]
    confirmed: Confirmed | None
    ceiling: Ceiling | None
    stopped: bool = False

    @property
    def found(self) -> bool:
        """Whether a recipe kept the wish on fresh draws, against every attacker."""
        return self.final is not None

    @property
    def final(self) -> Measured | None:
        """The numbers of the recipe that was found, from draws that decided nothing."""
        return None if self.confirmed is None else self.confirmed.final

    @property
    def recipe(self) -> Recipe | None:
        """The recipe that was found."""
        return self.confirmed.recipe if self.found and self.confirmed is not None else None

    @property
    def privacy(self) -> float:
        """Its headline of privacy; NaN if none was found."""
        return math.nan if self.final is None else self.final.privacy

    @property
    def utility(self) -> float:
        """Its headline of utility; NaN if none was found."""
        return math.nan if self.final is None else self.final.utility

    @cached_property
    def front(self) -> list[Tried]:
        """The trials that no other beats, as the search measured them."""
        return front_of_trials(self.trials)

    @cached_property
    def binding(self) -> Bound | None:
        """The bound with the least room; without a result the one that could not be kept."""
        if self.final is not None:
            return self.wish.binding(self.final.values)
        if self.confirmed is not None:
            return self.wish.binding(self.confirmed.fresh.values)
        best = {bound: self.best_of(bound) for bound in self.wish.bounds}
        reached = {bound: bound.margin(one.values) for bound, one in best.items() if one is not None}
        if not reached:  # no recipe keeps all bounds but one: which is furthest from any recipe
            usable = [one for one in self.trials if one.counts]
            reached = {
                bound: max((bound.margin(one.values) for one in usable), default=-math.inf) for bound in best
            }
        return min(reached, key=lambda bound: reached[bound], default=None)

    def best_of(self, bound: Bound) -> Tried | None:
        """The trial with the best value for a bound among those that keep all others; None without one."""
        others = Wish(tuple(one for one in self.wish.bounds if one is not bound))
        fitting = [
            one
            for one in self.trials
            if one.counts and others.holds(one.values) and math.isfinite(bound.margin(one.values))
        ]
        return max(fitting, key=lambda one: bound.margin(one.values), default=None)

    # --- as people read it --------------------------------------------------------------------------

    def reason(self, lang: str = "en") -> str:
        """What was found and what was believed, or why nothing was found, in sentences."""
        if self.final is not None and self.confirmed is not None:
            return say(self._found_sentence(self.confirmed, self.final), lang)
        sentences = [self._missed_sentence(lang)]
        if self.ceiling is not None:
            sentences.append(say(self.ceiling.why, lang))
        return " ".join(sentences)

    def _found_sentence(self, confirmed: Confirmed, final: Measured) -> Phrase:
        tried = Phrase.plural(
            "{n} candidate was measured again", "{n} candidates were measured again", n=confirmed.candidates
        )
        sentences = [
            Phrase(
                "Privacy {believed:.2f} while searching, {fresh:.2f} on fresh draws, {final:.2f} against "
                "every attacker, also those that the search had not met ({tried}).",
                believed=confirmed.believed.privacy,
                fresh=final.privacy_seen,
                final=final.privacy,
                tried=tried,
            )
        ]
        if self.binding is not None:
            sentences.append(Phrase("What binds is {bound}.", bound=self.binding.phrase))
        return join_texts(" ", sentences)

    def _missed_sentence(self, lang: str) -> str:
        binding = self.binding
        runs = len(self.trials)
        if binding is None or not any(one.counts for one in self.trials):
            why = next((one.failed for one in self.trials if one.failed), Phrase("nothing was tried"))
            return say("None was found: no recipe has numbers on this data ({why}).", lang, why=why)
        if self.confirmed is not None:
            return say(
                "None was found: of the recipes that kept the bounds while searching, {count} measured "
                "again, and none kept them; the closest came to privacy {privacy:.2f} and utility "
                "{utility:.2f}. What binds is {bound}.",
                lang,
                count=Phrase.plural("{n} was", "{n} were", n=self.confirmed.candidates),
                privacy=self.confirmed.fresh.privacy,
                utility=self.confirmed.fresh.utility,
                bound=binding.phrase,
            )
        best = self.best_of(binding)
        if best is None:
            return say(
                "None was found among {runs:,} recipes: none keeps all the other bounds. "
                "What binds is {bound}.",
                lang,
                runs=runs,
                bound=binding.phrase,
            )
        return say(
            "None was found among {runs:,} recipes. What binds is {bound}: with the other bounds kept, "
            "the best that was found is {value:.2f}.",
            lang,
            runs=runs,
            bound=binding.phrase,
            value=best.values[binding.key],
        )

    @property
    def hollow(self) -> bool:
        """Whether who is who may be hidden while, say, where somebody was is not."""
        final = self.final
        return final is not None and self._privacy_headline.is_hollow(final.values)

    @property
    def _privacy_headline(self) -> Headline:
        return self.base.data_kind.headline("privacy", self.base.headline.get("privacy"))

    def numbers(self) -> Phrase:
        """The headlines of what was found, and what decides privacy."""
        final = self.final
        if final is None:
            return Phrase("None was found.")
        low, high = final.interval or (final.privacy, final.privacy)
        number = Phrase("{privacy:.2f}", privacy=final.privacy)
        if high - low >= _SEEN:
            values = {"privacy": number, "low": low, "high": high}
            number = Phrase("{privacy} ({low:.2f} to {high:.2f})", **values)
        return Phrase(
            "Privacy {privacy}, decided by “{threat}”; utility {utility:.2f}, defence {defence:.2f}; "
            "{draws}.",
            privacy=number,
            threat=Phrase(self._title_of(final.decided_by)),
            utility=final.utility,
            defence=defence(final.utility, final.privacy),
            draws=Phrase.plural("mean of {n} draw", "mean of {n} draws", n=final.draws),
        )

    def notes(self) -> list[Phrase]:
        """What stands beside the headlines of what was found: further measures, promises, warnings."""
        final = self.final
        if final is None:
            return []
        beside = [
            Phrase("Beside privacy: {title} {value:.2f}.", title=Phrase(self._title_of(key)), value=value)
            for key in self._privacy_headline.beside
            if math.isfinite(value := final.values.get(key, math.nan))
        ]
        worst = final.worst_held_out
        if worst is not None:
            beside.append(
                Phrase(
                    "Of the attackers set apart, “{title}” found most: {found:.1%}.",
                    title=Phrase(self._title_of(worst[0])),
                    found=worst[1],
                )
            )
        if self.hollow:
            beside.append(Phrase("Who is who may be hidden here, where somebody was is not."))
        return [*beside, *(Phrase("{note}", note=note) for note in final.notes)]

    def _title_of(self, key: str) -> str:
        return next((entry.title for entry in entries_of(self.base) if entry.key == key), key)

    # --- as JSON ------------------------------------------------------------------------------------

    def as_json(self) -> JsonObject:
        """What `insanonym tune --json` prints."""
        confirmed, final = self.confirmed, self.final
        facts: JsonObject = {
            "found": self.found,
            "wish": {
                "bounds": [
                    {"name": one.key, "at_most" if one.upper else "at_least": one.level}
                    for one in self.wish.bounds
                ],
                "maximise": self.wish.maximise,
            },
            "binding": None if self.binding is None else self.binding.key,
            "ceiling": None
            if self.ceiling is None
            else {"privacy": self.ceiling.privacy, "why": say(self.ceiling.why, "en")},
            "trials": len(self.trials),
            "reason": self.reason(),
            "front": [_point(one) for one in self.front],
        }
        if confirmed is not None:
            facts["candidates"] = confirmed.candidates
            facts["believed"] = _point(confirmed.believed)
            facts["fresh"] = {
                "privacy": confirmed.fresh.privacy,
                "privacy_of_known_attackers": confirmed.fresh.privacy_seen,
                "utility": confirmed.fresh.utility,
            }
        if confirmed is None or final is None:
            return facts
        worst = final.worst_held_out
        return facts | {
            "recipe": confirmed.recipe.complete().plain(),
            **({"privacy_roles_unconfirmed": list(final.roles_guessed)} if final.roles_guessed else {}),
            "privacy": final.privacy,
            "privacy_interval": None if final.interval is None else list(final.interval),
            "privacy_decided_by": final.decided_by.partition(".")[2],
            "privacy_of_known_attackers": final.privacy_seen,
            "utility": final.utility,
            "defence": defence(final.utility, final.privacy),
            "values": {key: final.values[key] for key in sorted(final.values) if key not in HEADLINES},
            "held_out": None if worst is None else {"attack": worst[0].partition(".")[2], "found": worst[1]},
        }


def _point(one: Tried) -> JsonObject:
    return {"privacy": one.privacy, "utility": one.utility, "steps": one.recipe.plain()["steps"]}


def ceiling_of(recipe: Recipe, data: Data) -> Ceiling | None:
    """How much privacy the data allow at all, where their kind can say it."""
    code = recipe.data_kind.code("ceiling")
    found: Ceiling | None = None if code is None else code(recipe, data)
    return found
