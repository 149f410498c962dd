"""Reports."""

FRENCH = {
    "Step {number} ({method}) deleted all {before} rows that were left: change its values or remove it.": (
        "L’étape {number} ({method}) a supprimé toutes les lignes qui restaient, {before}\u00a0: "
        "changez ses valeurs ou retirez-la."
    ),
    "Step {number} ({method}) deleted {deleted} of the {before} rows that were left: "
    "change its values or remove it.": (
        "L’étape {number} ({method}) a supprimé {deleted} des {before} lignes qui restaient\u00a0: "
        "changez ses valeurs ou retirez-la."
    ),
    "Report: {data}": "Rapport\u00a0: {data}",
    "data at hand": "données en mémoire",
    "recipe": "recette",
    "published": "publiées",
    "Privacy": "Confidentialité",
    "Utility": "Utilité",
    "Defence": "Défense",
    "Attacks": "Attaques",
    "Attacks, by the competition's score": "Attaques, au score de la compétition",
    "reidentified": "réidentifiés",
    "utility × privacy": "utilité × confidentialité",
    "Privacy: what an attacker can learn": "Confidentialité\u00a0: ce qu’un attaquant peut apprendre",
    "What this does not protect": "Ce que cela ne protège pas",
    "Asked and measured": "Demandé et mesuré",
    "step": "étape",
    "asked": "demandé",
    "measured": "mesuré",
    "what holds": "ce qui est vrai",
    "measure": "mesure",
    "value": "valeur",
    "read beside": "à lire à côté de",
    "better when": "meilleur si",
    "higher": "plus haut",
    "lower": "plus bas",
    "formula": "formule",
    "Map: original and release": "Carte\u00a0: original et données publiées",
    "Figures": "Figures",
    "Cells with fewer than {fewest} individuals are not shown: {original} of the original, {release} of the release.": (
        "Les cellules de moins de {fewest} individus ne sont pas montrées\u00a0: {original} de l’original, {release} de "
        "la version publiée."
    ),
    "Published against exponential weights": "Poids publiés contre poids exponentiels",
    "How to make this again": "Comment refaire ce rapport",
    "folder": "dossier",
    "interval {low} to {high}": "intervalle de {low} à {high}",
    "{what} {value}": "{what} {value}",
    "chance": "hasard",
    "held out rows": "lignes mises de côté",
    "real rows": "vraies lignes",
    "avatars of half": "avatars d’une moitié",
    "worst": "au pire",
    "undefined": "indéfinis",
    "rows tried": "lignes essayées",
    "for l": "pour l",
    "Every combination of these columns is shared by at least {measured} rows: {columns}.": (
        "Chaque combinaison de ces colonnes est partagée par au moins {measured} lignes\u00a0: {columns}."
    ),
    "Every single value of these columns is shared by at least {measured} rows: {columns}.": (
        "Chaque valeur de ces colonnes, prise seule, est partagée par au moins {measured} lignes\u00a0: {columns}."
    ),
    "Every combination of these columns is shared by at least {measured} rows: {columns}."
    " (In the table from which the traces were counted.)": (
        "Chaque combinaison de ces colonnes est partagée par au moins {measured} lignes\u00a0: {columns}. (Dans le "
        "tableau à partir duquel les traces ont été comptées.)"
    ),
    "Every single value of these columns is shared by at least {measured} rows: {columns}."
    " (In the table from which the traces were counted.)": (
        "Chaque valeur de ces colonnes, prise seule, est partagée par au moins {measured} lignes\u00a0: {columns}. "
        "(Dans le tableau à partir duquel les traces ont été comptées.)"
    ),
    "group size": "taille de groupe",
    "The quasi-identifiers are exact: whoever knows them finds the row and its group. The sensitive value is "
    "one of at least {l} different ones in that group.": (
        "Les quasi-identifiants sont exacts\u00a0: qui les connaît trouve la ligne et son groupe. La valeur "
        "sensible est l’une d’au moins {l} valeurs différentes de ce groupe."
    ),
    "Counted in individuals, not rows, the smallest group has {people}.": (
        "En individus et non en lignes, le plus petit groupe en compte {people}."
    ),
    "The sensitive columns are not published: what a class reveals about them is not measured.": (
        "Les colonnes sensibles ne sont pas publiées\u00a0: ce qu’une classe en révèle n’est pas mesuré."
    ),
    "Every group holds at least {measured} rows. The columns {columns} stay exact: k counts the rows that share "
    "them, and is another number.": (
        "Chaque groupe contient au moins {measured} lignes. Les colonnes {columns} restent exactes\u00a0: k "
        "compte les lignes qui les partagent, et c’est un autre nombre."
    ),
    "Nothing was done: the release is the original.": (
        "Rien n’a été fait\u00a0: les données publiées sont l’original."
    ),
    "These attacks know the original and at most the recipe: whoever knows more about a person may find more.": (
        "Ces attaques connaissent l’original et au plus la recette\u00a0: qui en sait plus sur une personne peut "
        "trouver davantage."
    ),
    "{share} of the published rows are unique on the quasi-identifiers: whoever knows these finds the row.": (
        "{share} des lignes publiées sont uniques sur les quasi-identifiants\u00a0: qui les connaît retrouve la ligne."
    ),
    "No sensitive column was named: what a class reveals about all its rows is not measured.": (
        "Aucune colonne sensible n’est nommée\u00a0: ce qu’une classe révèle de toutes ses lignes n’est pas mesuré."
    ),
    "{share} of the published rows stand in classes with one sensitive value: revealed although k holds.": (
        "{share} des lignes publiées sont dans des classes à une seule valeur sensible\u00a0: elle est révélée "
        "alors que k est respecté."
    ),
    "Counted in individuals, not rows, the smallest class has {people}.": (
        "Comptée en individus et non en lignes, la plus petite classe en a {people}."
    ),
    "A second table published from the same data can be subtracted from this one.": (
        "Une seconde table publiée à partir des mêmes données peut être soustraite de celle-ci."
    ),
    "{share} of the individuals are alone in their trace: whoever knows their path finds it here.": (
        "{share} des individus sont seuls dans leur trace\u00a0: qui connaît leur parcours le retrouve ici."
    ),
    "If the traces are published without their prefix too, {share} of masked counts become known.": (
        "Si les traces sont publiées aussi sans leur préfixe, {share} des effectifs masqués deviennent connus."
    ),
    "For {share} of the people their own avatar is the closest of all.": (
        "Pour {share} des personnes, leur propre avatar est le plus proche de tous."
    ),
    "An attacker tells who was in the data better than by a coin: AUC {auc} ({low} to {high}).": (
        "Un attaquant devine qui était dans les données mieux qu’à pile ou face\u00a0: AUC {auc} ({low} à {high})."
    ),
    "{share} of the avatars equal a real row.": "{share} des avatars sont égaux à une vraie ligne.",
    "A distance (DCR, NNDR) is not a guarantee: it says how far avatars lie, not what an attacker knows.": (
        "Une distance (DCR, NNDR) n’est pas une garantie\u00a0: elle dit à quelle distance sont les avatars, pas ce "
        "que sait un attaquant."
    ),
    "A seed was used: whoever has or can guess the data, and knows this recipe, can repeat its draws. "
    "Leave the seed out for a real release.": (
        "Une graine a été utilisée\u00a0: qui a ou peut deviner les données, et connaît cette recette, peut refaire "
        "ses tirages. N’en mettez pas pour une vraie publication."
    ),
    "What the columns mean": "Ce que signifient les colonnes",
    "column": "colonne",
    "meaning": "signification",
    "role": "rôle",
    "kind": "type",
    "different values": "valeurs différentes",
    "identifier": "identifiant",
    "quasi-identifier": "quasi-identifiant",
    "sensitive": "sensible",
    "other": "autre",
    "number": "nombre",
    "date": "date",
    "text": "texte",
    "(to be described by the publisher)": "(à décrire par qui publie)",
    "Cleaning: rare values deleted, pass by pass": "Nettoyage\u00a0: valeurs rares supprimées, passe après passe",
    "Rows with a value that fewer than {k} rows share were deleted, again and again until no "
    "such value was left: {before} rows before, {after} after, {lost} lost.": (
        "Les lignes dont une valeur est partagée par moins de {k} lignes ont été supprimées, jusqu’à ce qu’il n’y en "
        "ait plus\u00a0: {before} lignes avant, {after} après, {lost} perdues."
    ),
    "pass": "passe",
    "rare values found": "valeurs rares trouvées",
    "No value was that rare.": "Aucune valeur n’était si rare.",
    "Losses by {column}": "Pertes par {column}",
    "year": "année",
    "rows lost": "lignes perdues",
    "Which columns were kept, and why": "Quelles colonnes ont été gardées, et pourquoi",
    "Columns were added one by one, each time the one that loses the fewest further rows, while "
    "at most {budget} of the rows are lost.": (
        "Les colonnes ont été ajoutées une à une, chaque fois celle qui fait perdre le moins de lignes de plus, tant "
        "qu’au plus {budget} des lignes sont perdues."
    ),
    "columns kept together": "colonnes gardées ensemble",
    "Thresholds": "Seuils",
    "{method}: {what} = {value}.": "{method}\u00a0: {what} = {value}.",
    "smallest group k": "plus petit groupe k",
    "different sensitive values l": "valeurs sensibles différentes l",
    "masking threshold": "seuil de masquage",
    "What two published tables reveal together": "Ce que deux tables publiées révèlent ensemble",
    "No prefix was used: a second table with one would have to be compared with this one.": (
        "Aucun préfixe n’a été utilisé\u00a0: une seconde table qui en aurait un devrait être comparée à celle-ci."
    ),
    "Published with and without their prefix, the traces can be subtracted: of {masked} "
    "masked counts, {narrowed} become narrower and {pinned} become exactly known, which "
    "concerns {people} people. Publish only one of the two tables.": (
        "Publiées avec et sans leur préfixe, les traces peuvent être soustraites\u00a0: sur {masked} effectifs "
        "masqués, {narrowed} se resserrent et {pinned} deviennent exactement connus, ce qui concerne {people} "
        "personnes. Ne publiez qu’une des deux tables."
    ),
    "Two projections of this data, each without its rare combinations, can be subtracted from "
    "each other: what one keeps and the other lost is a small group again. Compare every further "
    "table with this one first (insanonym traces difference-tables).": (
        "Deux projections de ces données, chacune sans ses combinaisons rares, peuvent être soustraites l’une de "
        "l’autre\u00a0: ce que l’une garde et que l’autre a perdu est de nouveau un petit groupe. Comparez d’abord "
        "toute nouvelle table à celle-ci (insanonym traces difference-tables)."
    ),
}
