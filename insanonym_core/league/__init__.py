"""A competition in class: teams hand in releases and attacks, which are checked, published and scored."""

from insanonym_core.league.layout import new_team
from insanonym_core.league.model import League, Rules
from insanonym_core.league.play import play
from insanonym_core.league.results import league_as_json
from insanonym_core.league.scoring import Standing, standings

__all__ = ["League", "Rules", "Standing", "league_as_json", "new_team", "play", "standings"]
