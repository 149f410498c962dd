"""Sweeps."""

FRENCH = {
    ", mean of {seeds} seeds": ", moyenne de {seeds} graines",
    "largest defence score ({score}{over}): {setting}": (
        "plus grand score de défense ({score}{over})\u00a0: {setting}"
    ),
    "runs": "exécutions",
    "Rows lost by {column}": "Lignes perdues par {column}",
}
