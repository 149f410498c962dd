"""Sweeps."""

FRENCH = {
    "no setting was attacked by all attackers yet: let the sweep finish": (
        "aucun réglage n’a encore subi toutes les attaques\u00a0: laissez le balayage se terminer"
    ),
    ", mean of {seeds} seeds": ", moyenne de {seeds} graines",
    "largest defence score ({score}{over}): {setting}": (
        "plus grand score de défense ({score}{over})\u00a0: {setting}"
    ),
    "runs": "exécutions",
    "no setting defends: privacy is at most 0.02 or utility is 0 in all of them": (
        "aucun réglage ne défend\u00a0: la confidentialité ne dépasse pas 0,02 ou l’utilité est nulle partout"
    ),
    "yes": "oui",
    "no": "non",
    "Rows lost by {column}": "Lignes perdues par {column}",
}
