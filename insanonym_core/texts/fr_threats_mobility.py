"""Attackers of GPS traces, what they achieve, and the card of threats that all kinds of data share."""

FRENCH = {
    # The card of threats.
    "Threats": "Menaces",
    "Privacy is decided by: {threat}.": "La confidentialité est décidée par\u00a0: {threat}.",
    "Privacy is at most this: no number for {measures}": (
        "La confidentialité vaut au plus cela\u00a0: pas de mesure pour {measures}"
    ),
    "Privacy is decided by:": "La confidentialité est décidée par\u00a0:",
    "criterion": "critère",
    "worst threat": "pire menace",
    "what it means": "ce que cela signifie",
    "beside the headline": "à côté de l’indicateur",
    "not measured": "non mesuré",
    "not applicable": "sans objet",
    "Singling out": "Individualisation",
    "Linkability": "Corrélation",
    "Inference": "Inférence",
    # Threats.
    "“{title}” re-identifies {share} of the individuals in a week": (
        "«\u202f{title}\u202f» réidentifie {share} des individus d’une semaine"
    ),
    "up to four known records single out {share} of the person-weeks": (
        "quatre relevés connus au plus individualisent {share} des semaines d’individus"
    ),
    "some pseudonym shows where {share} of the individuals were in a week": (
        "un pseudonyme montre où {share} des individus se trouvaient pendant une semaine"
    ),
    # What is not protected.
    "The attack “{attack}” still re-identifies {found} of the individuals in a week; guessing finds {chance}.": (
        "L’attaque «\u202f{attack}\u202f» réidentifie encore {found} des individus d’une semaine\u202f; le hasard "
        "en trouve {chance}."
    ),
    "In the competition, where a week that was deleted whole counts as found, the best attack scores {best}.": (
        "Dans la compétition, où une semaine entièrement supprimée compte comme trouvée, la meilleure attaque "
        "obtient {best}."
    ),
    "{share} of the published times are exact: whoever knows when somebody was recorded can join on them.": (
        "{share} des heures publiées sont exactes\u00a0: qui sait quand une personne a été enregistrée peut "
        "faire la jointure."
    ),
    "{share} of the weeks are in the open: some pseudonym shows where the person was, whoever it is.": (
        "{share} des semaines sont à découvert\u00a0: un pseudonyme montre où la personne se trouvait, quelle "
        "qu’elle soit."
    ),
    "The recipe is not known: an attacker who knows it may find more.": (
        "La recette n’est pas connue\u00a0: un attaquant qui la connaît peut en trouver davantage."
    ),
    # Figures.
    "Attacks: how many are re-identified": "Attaques\u00a0: combien sont réidentifiés",
    "share re-identified": "part réidentifiée",
    "Singled out by known points": "Individualisés par des relevés connus",
    "known records": "relevés connus",
    "share of the person-weeks": "part des semaines d’individus",
    "Share in the open in each week": "Part à découvert chaque semaine",
    # Measures beside the attacks.
    "Known points": "Relevés connus",
    "share of person-weeks that p known records single out, maximum over p ≤ 4": (
        "part des semaines d’individus que p relevés connus individualisent, maximum pour p ≤ 4"
    ),
    (
        "An attacker knows p records of a person's week: the cell (two decimals), the date and the hour.\n\n"
        "The share of person-weeks where exactly one pseudonym fits them all, and it is theirs; mean of 20 "
        "draws."
    ): (
        "Un attaquant connaît p relevés de la semaine d’une personne\u00a0: la cellule (deux décimales), la "
        "date et l’heure.\n\n"
        "La part des semaines d’individus où un seul pseudonyme convient à tous, et c’est le leur\u202f; moyenne "
        "de 20 tirages."
    ),
    "Weeks in the open": "Semaines à découvert",
    "share of person-weeks with Σ min(p, q) ≥ 0.8 for some pseudonym": (
        "part des semaines d’individus avec Σ min(p, q) ≥ 0,8 pour un pseudonyme"
    ),
    (
        "The share of person-weeks whose heat map some pseudonym of the week shows to at least 80 %.\n\n"
        "A release may hide who is who and still show where somebody was: swapping whole weeks scores badly "
        "here,\nnoise scores well."
    ): (
        "La part des semaines d’individus dont un pseudonyme de la semaine montre la carte de chaleur à au "
        "moins 80\u202f%.\n\n"
        "Une publication peut cacher qui est qui et montrer pourtant où quelqu’un se trouvait\u00a0: échanger "
        "des semaines entières y obtient un mauvais score, le bruit un bon."
    ),
    # Attacks.
    "Similar number of rows": "Nombre de lignes voisin",
    "|ln rows − ln rows′|": "|ln lignes − ln lignes′|",
    "Matches people and pseudonyms of a week one-to-one by the logarithm of their numbers of rows.": (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après le logarithme de leur nombre "
        "de lignes."
    ),
    "Same hours of the week": "Mêmes heures de la semaine",
    "1 − cosine of records in 168 hours, smoothed": "1 − cosinus des relevés par heure (168), lissés",
    (
        "Matches people and pseudonyms of a week one-to-one by how many records they have in each of its "
        "hours.\n\n"
        "Each hour gives a quarter to its neighbours, so that moving times by less than an hour hides little."
    ): (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après leur nombre de relevés à "
        "chaque heure.\n\n"
        "Chaque heure cède un quart à chacune de ses voisines\u00a0: déplacer les horaires de moins d’une heure "
        "cache peu de chose."
    ),
    "Same published times": "Mêmes horaires publiés",
    "− records with the same time / max(rows, rows′)": ("− relevés au même horaire / max(lignes, lignes′)"),
    (
        "Matches people and pseudonyms of a week one-to-one by the records that have the same published "
        "time.\n\n"
        "Whoever shares no time with any pseudonym gives no guess."
    ): (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après les relevés au même horaire "
        "publié.\n\n"
        "Qui ne partage aucun horaire avec un pseudonyme ne donne lieu à aucun essai."
    ),
    "Same gaps between records": "Mêmes écarts entre relevés",
    "− Σ min / (1 + Σ max) over equal gaps": "− Σ min / (1 + Σ max) sur les écarts égaux",
    "Matches people and pseudonyms of a week one-to-one by the times between their successive records.": (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après les durées entre leurs relevés "
        "successifs."
    ),
    "Same place at the same hour": "Même lieu à la même heure",
    "− Σ min(1, 1/km) over common hours / hours": "− Σ min(1, 1/km) sur les heures communes / heures",
    "Matches people and pseudonyms of a week one-to-one by how near they are to each other hour by hour.": (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après leur proximité, heure par heure."
    ),
    "All clues together": "Tous les indices réunis",
    "Σ weight · rank of seven costs": "Σ poids · rang de sept coûts",
    (
        "Matches people and pseudonyms of a week one-to-one by seven clues together: mean position, heat map,\n"
        "number of rows, hours of the week, times, gaps, and places by the hour.\n\n"
        "Each cost becomes its rank among the candidates of a person. Who knows the recipe makes two releases "
        "of\nthe same original and learns from them by logistic regression how much each clue is worth; without "
        "a\nrecipe all count the same. In weeks of more than 2,000 people a sample of them is looked for."
    ): (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après sept indices réunis\u00a0: "
        "position moyenne, carte de chaleur, nombre de lignes, heures de la semaine, horaires, écarts, lieux "
        "heure par heure.\n\n"
        "Chaque coût devient son rang parmi les candidats d’une personne. Qui connaît la recette fait deux "
        "publications du même original et apprend d’elles, par régression logistique, ce que vaut chaque "
        "indice\u202f; sans recette, tous comptent autant. Dans une semaine de plus de 2\u202f000 personnes, on en "
        "cherche un échantillon."
    ),
    "Everybody deleted": "Tout le monde supprimé",
    "DEL for everybody": "DEL pour tout le monde",
    (
        "Guesses DEL for everybody: right in the competition where a person's whole week was deleted.\n\n"
        "It re-identifies nobody."
    ): (
        "Répond DEL pour tout le monde\u00a0: juste, dans la compétition, quand la semaine entière d’une personne "
        "a été supprimée.\n\n"
        "Elle ne réidentifie personne."
    ),
}
