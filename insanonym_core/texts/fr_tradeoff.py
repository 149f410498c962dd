"""The tab of the trade-off."""

FRENCH = {
    "privacy decided by “{threat}”": "confidentialité décidée par «\u202f{threat}\u202f»",
    "privacy is at most this: the strongest attackers were not tried here": (
        "la confidentialité vaut au plus cela\u00a0: les attaques les plus fortes n’ont pas été essayées ici"
    ),
    "{failed} of {total} runs failed: {reason}": "{failed} exécutions sur {total} ont échoué\u00a0: {reason}",
    "{name} ({number})": "{name} ({number})",
    "{series}: {setting}": "{series}\u00a0: {setting}",
    "about {seconds} s left": "encore environ {seconds} s",
    "Open the tab": "Ouvrir l’onglet",
    "Click a point: the sliders go there.": "Cliquez un point\u00a0: les curseurs y vont.",
    "This recipe has no number to sweep: add a step on its tab.": (
        "Cette recette n’a aucun nombre à balayer\u00a0: ajoutez une étape dans son onglet."
    ),
    "A small first sweep of the {tab} tab is under way: its picture comes here.": (
        "Un premier petit balayage de l’onglet {tab} est en cours\u00a0: son image vient ici."
    ),
    "A small first sweep of the {tab} tab: {points} points × {seeds} seeds. Choose on the left for another "
    "one.": (
        "Un premier petit balayage de l’onglet {tab}\u00a0: {points} points × {seeds} graines. Choisissez à "
        "gauche pour en faire un autre."
    ),
    "show this sweep again": "montrer ce balayage à nouveau",
    "remove from the plot": "retirer du graphique",
    "The sliders of the {tab} tab now stand at {setting}.": (
        "Les curseurs de l’onglet {tab} sont maintenant réglés sur {setting}."
    ),
    "The sliders of the {tab} tab are not at this point yet.": (
        "Les curseurs de l’onglet {tab} ne sont pas encore à ce point."
    ),
    "The {tab} tab has other data, roles or rules since this sweep: its sliders stay where they are. "
    "Run the sweep again.": (
        "L’onglet {tab} a changé de données, de rôles ou de règles depuis ce balayage\u00a0: ses curseurs "
        "restent où ils sont. Relancez le balayage."
    ),
}
