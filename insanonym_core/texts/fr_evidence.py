"""What stands in the evidence of measures and methods, and why a measure has no value, in French.

One word may label several things (deleted rows, deleted individuals): its French must fit all of them.
"""

from __future__ import annotations

FRENCH: dict[str, str] = {
    # Mobility.
    "Rows by days moved": "Lignes par jours d’écart",
    "Rows that cost most": "Lignes qui coûtent le plus",
    "Kilometres moved": "Kilomètres de déplacement",
    "Rows by original and released hour": "Lignes par heure d’origine et heure publiée",
    "Cells covered by each individual": "Cellules couvertes par chaque individu",
    "Cells of each individual and their agreement": "Cellules de chaque individu et leur concordance",
    "Share re-identified in each week": "Part réidentifiée chaque semaine",
    "share of the individuals": "part des individus",
    "after": "après",
    "points": "points",
    "km": "km",
    "original": "original",
    "release": "version publiée",
    "busiest_original": "parmi les plus fréquentées de l’original",
    "busiest_release": "parmi les plus fréquentées de la version publiée",
    # Tables.
    "Classes by size": "Classes par taille",
    "Correlations after": "Corrélations après",
    "Correlations before": "Corrélations avant",
    "Difference": "Différence",
    "Distance of each column": "Distance de chaque colonne",
    "Information lost in each column": "Perte d’information dans chaque colonne",
    "Linkage success by what is known": "Réussite de l’appariement selon ce qui est connu",
    "Queries by relative error": "Requêtes par erreur relative",
    "Rows": "Lignes",
    "Rows deleted in each pass": "Lignes supprimées à chaque passe",
    "all rows deleted": "toutes les lignes supprimées",
    "rare {column}": "{column} rare",
    "later passes": "passes suivantes",
    "No value is rare: nothing was deleted.": "Aucune valeur n’est rare\u00a0: rien n’a été supprimé.",
    "Rows lost as columns are added": "Lignes perdues à mesure que l’on ajoute des colonnes",
    "l of each sensitive column": "l de chaque colonne sensible",
    "Entropy l of each sensitive column": "l entropique de chaque colonne sensible",
    "t of each sensitive column": "t de chaque colonne sensible",
    "Rows given away by each sensitive column": "Lignes dévoilées par chaque colonne sensible",
    "NCP": "NCP",
    "classes": "classes",
    "relative error": "erreur relative",
    "budget": "budget",
    "rows lost": "lignes perdues",
    "+ {column}: refused": "+ {column}\u00a0: refusée",
    "k": "k",
    "asked k": "k demandé",
    "{column}, before and after": "{column}, avant et après",
    "(other values)": "(autres valeurs)",
    "(other weeks)": "(autres semaines)",
    "not drawn: {before} rows before, {after} after": (
        "non tracées\u00a0: {before} lignes avant, {after} après"
    ),
    "Every single value of these columns is shared by at least {measured} individuals: {columns}.": (
        "Chaque valeur de ces colonnes, prise seule, est partagée par au moins {measured} individus\u00a0: {columns}."
    ),
    "Every single value of these columns is shared by at least {measured} individuals: {columns}."
    " (In the table from which the traces were counted.)": (
        "Chaque valeur de ces colonnes, prise seule, est partagée par au moins {measured} individus\u00a0: {columns}. "
        "(Dans le tableau à partir duquel les traces ont été comptées.)"
    ),
    "share of the rows": "part des lignes",
    "share right": "part de réponses justes",
    "learnt from the original": "appris sur l’original",
    "learnt from the release": "appris sur la version publiée",
    "always the most frequent": "toujours la plus fréquente",
    "total_variation": "variation totale",
    "ks": "KS",
    "wasserstein": "Wasserstein",
    "(missing)": "(manquant)",
    "kept": "conservées",
    "deleted": "pertes",
    # Traces.
    "Individuals": "Individus",
    "Masked counts": "Effectifs masqués",
    "Masked counts that both tables fix together": (
        "Effectifs masqués que les deux tableaux déterminent ensemble"
    ),
    "Rarest steps": "Étapes les plus rares",
    "The most frequent traces": "Traces les plus fréquentes",
    "Traces by how many individuals left them": "Traces selon le nombre d’individus qui les ont laissées",
    "counted exactly": "dénombrés exactement",
    "masked": "masqués",
    "narrowed": "resserrés",
    "pinned": "dévoilés",
    "Masked counts that the mask itself gives away": "Effectifs masqués que le masque lui-même dévoile",
    "pinned by the mask itself": "dévoilés par le masque lui-même",
    "counts": "effectifs",
    "How many masked counts become known when the table without the prefix is published too.\n\n"
    "Below a threshold of 2 a masked count can only be 1: it is known without a second table, and counts.": (
        "Combien d’effectifs masqués deviennent connus quand le tableau sans le préfixe est publié lui aussi.\n\n"
        "En dessous d’un seuil de 2, un effectif masqué ne peut valoir que 1\u00a0: il est connu sans second "
        "tableau, et il compte."
    ),
    "table": "tableau",
    "trace": "trace",
    "traces": "traces",
    "true count": "effectif réel",
    # Avatars.
    "Avatars of the training half": "Avatars de la moitié d’apprentissage",
    "Avatars that hide each person": "Avatars qui cachent chaque personne",
    "Closest over second closest real row": "Plus proche vraie ligne / deuxième plus proche",
    "Correlations of the avatars": "Corrélations des avatars",
    "Correlations of the originals": "Corrélations des originaux",
    "Cumulated explained variance": "Variance expliquée cumulée",
    "DCR and NNDR of the first rows' avatars": "DCR et NNDR des avatars des premières lignes",
    "Values guessed from the nearest avatar": "Valeurs devinées d’après l’avatar le plus proche",
    "no column that varies can be guessed from others": (
        "aucune colonne qui varie ne peut être devinée d’après d’autres"
    ),
    "a half of the rows has no value to guess": "une moitié des lignes n’a aucune valeur à deviner",
    "imputed": "imputé",
    "Distance of people to the nearest avatar": "Distance des personnes à l’avatar le plus proche",
    "Distance to the closest real row": "Distance à la vraie ligne la plus proche",
    "Distances of the first rows to their neighbours": "Distances des premières lignes à leurs voisins",
    "Distribution on the first component": "Distribution sur la première composante",
    "Originals and avatars on the first components": "Originaux et avatars sur les premières composantes",
    "People found by what is known": "Personnes retrouvées selon ce qui est connu",
    "Resemblance by part": "Ressemblance par partie",
    "1 − distance": "1 − distance",
    "DCR": "DCR",
    "NNDR": "NNDR",
    "NNDR of the source": "NNDR de la source",
    "weighted mean": "moyenne pondérée",
    "columns_distance": "colonnes",
    "correlations_distance": "corrélations",
    "overlay_distance": "première composante",
    "component 1": "composante 1",
    "component 2": "composante 2",
    "other avatars": "autres avatars",
    "People found, and people hidden behind other avatars": (
        "Personnes retrouvées, et personnes cachées derrière d’autres avatars"
    ),
    "share of the people": "part des personnes",
    "found: the own avatar alone is the closest": "retrouvée\u00a0: son avatar est seul le plus proche",
    "hidden behind 1 avatar": "cachée derrière 1 avatar",
    "hidden behind {low} to {high}": "cachée derrière {low} à {high}",
    "hidden behind more than {low}": "cachée derrière plus de {low}",
    "ratio": "rapport",
    "learnt from avatars": "appris sur les avatars",
    "learnt from originals": "appris sur les originaux",
    "avatars": "avatars",
    "originals": "originaux",
    "people": "personnes",
    "held-out rows": "lignes mises de côté",
    "in the data": "dans les données",
    "not in the data": "hors des données",
    "to the training half": "à la moitié d’apprentissage",
    "to the held-out half": "à la moitié mise de côté",
    "median, avatars": "médiane, avatars",
    "median, originals": "médiane, originaux",
    "median, people": "médiane, personnes",
    "median, real rows": "médiane, vraies lignes",
    "median, held-out rows": "médiane, lignes mises de côté",
    "median, in the data": "médiane, dans les données",
    "median, not in the data": "médiane, hors des données",
    "median, to the training half": "médiane, à la moitié d’apprentissage",
    "median, to the held-out half": "médiane, à la moitié mise de côté",
    # Why a measure has no value.
    "no individual stays anywhere within the hours of home, work or activity": (
        "aucun individu ne séjourne nulle part aux heures de domicile, de travail ou d’activité"
    ),
    "no sensitive column is published beside the quasi-identifiers": (
        "aucune colonne sensible n’est publiée à côté des quasi-identifiants"
    ),
    "correlations need at least two columns of numbers or dates": (
        "les corrélations demandent au moins deux colonnes de nombres ou de dates"
    ),
    "no two columns of numbers vary together in both tables": (
        "il n’y a pas deux colonnes de nombres qui varient ensemble dans les deux tableaux"
    ),
    "no two columns vary together in both tables": (
        "il n’y a pas deux colonnes qui varient ensemble dans les deux tableaux"
    ),
    "no sensitive column is named": "aucune colonne sensible n’est désignée",
    "the sensitive values are published by group, apart from the rows": (
        "les valeurs sensibles sont publiées par groupe, à part des lignes"
    ),
    "the sensitive column must have 2 to 50 different values": (
        "la colonne sensible doit avoir de 2 à 50 valeurs différentes"
    ),
    "no row is left to learn from": "il ne reste aucune ligne pour l’apprentissage",
    "without a prefix there is no second table to subtract": (
        "sans préfixe, il n’y a pas de second tableau à soustraire"
    ),
    "who is behind which row is not known: the pairing is needed": (
        "on ne sait pas qui se trouve derrière chaque ligne\u00a0: il faut connaître la correspondance"
    ),
    "every avatar lies on two real rows at once, or there is only one: 0/0": (
        "chaque avatar coïncide avec deux vraies lignes à la fois, ou il n’y en a qu’une\u00a0: 0/0"
    ),
    "no column with 2 to 50 different values can be predicted from others": (
        "aucune colonne de 2 à 50 valeurs différentes ne peut être prédite à partir d’autres"
    ),
    "all training rows are equal in the columns to predict from": (
        "toutes les lignes d’apprentissage sont égales dans les colonnes qui servent à prédire"
    ),
    "each half of the people must have at least 3 rows": (
        "chaque moitié des personnes doit avoir au moins 3 lignes"
    ),
    "at least 6 rows are needed to split them into two halves": (
        "il faut au moins 6 lignes pour les partager en deux moitiés"
    ),
    "the method is needed, to make avatars of one half of the people": (
        "il faut la méthode, pour faire les avatars d’une moitié des personnes"
    ),
    # Templates for texts that are still put together where they are made: say() finds them once they are.
    "Predicting {target} of held-out originals": "Prédire {target} pour des originaux mis de côté",
    "pass {number}": "passe {number}",
    "{days} or more": "{days} ou plus",
    "rows (one in {every})": "lignes (une sur {every})",
    "neighbour {number}": "voisin {number}",
    "median, {group}": "médiane, {group}",
    "some class holds fewer than {l} sensitive values: no c is enough": (
        "une classe contient moins de {l} valeurs sensibles\u00a0: aucun c ne suffit"
    ),
    # Words on axes.
    "queries": "requêtes",
    "item": "étape",
    "components": "composantes",
    "distance": "distance",
    "share": "part",
    "a half of the rows has no value to predict": "une moitié des lignes n’a aucune valeur à prédire",
    "correlations": "corrélations",
    "first component": "première composante",
    # The tree of cuts.
    "The first cuts, and those refused": "Les premières coupes, et celles refusées",
    "One branch of the cuts, to where all are refused": (
        "Une branche des coupes, jusqu’où toutes sont refusées"
    ),
    "Each level is what became of the dark box above.": (
        "Chaque niveau est ce que devient la case foncée du dessus."
    ),
    "“{refusal}”: refused, as one side would keep only {rows} rows.": (
        "«\u00a0{refusal}\u00a0»\u00a0: refusée, car il ne resterait que {rows} lignes d’un côté."
    ),
    "all rows": "toutes les lignes",
    "→ {groups} groups": "→ {groups} groupes",
    "{column}: {rows} < {k}": "{column}\u00a0: {rows} < {k}",
    "{column}: {span}": "{column}\u00a0: {span}",
    "{column}: missing": "{column}\u00a0: manquant",
    "{column}: missing or {span}": "{column}\u00a0: manquant ou {span}",
    "{column}: a single value": "{column}\u00a0: une seule valeur",
}
