"""Sweeps."""

FRENCH = {
    ", mean of {seeds} seeds": ", moyenne de {seeds} graines",
    "largest defence score ({score}{over}): {setting}": (
        "plus grand score de défense ({score}{over})\u00a0: {setting}"
    ),
    "runs": "exécutions",
    "no setting defends: privacy or utility is 0 in all of them": (
        "aucun réglage ne défend\u00a0: confidentialité ou utilité est nulle partout"
    ),
    "yes": "oui",
    "no": "non",
    "Rows lost by {column}": "Lignes perdues par {column}",
}
