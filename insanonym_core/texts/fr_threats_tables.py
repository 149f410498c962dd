"""What an attacker achieves against tables and study traces, and what their measures say of it."""

FRENCH = {
    "1 − worst threat": "1 − pire menace",
    # Threats.
    "{share} of all rows are one person's alone on the quasi-identifiers": (
        "{share} de toutes les lignes ne sont, par leurs quasi-identifiants, qu’à une seule personne"
    ),
    "{share} of the guesses of who knows all quasi-identifiers find the right person": (
        "{share} des essais de qui connaît tous les quasi-identifiants désignent la bonne personne"
    ),
    "{share} of the guesses of who knows some quasi-identifiers find the right person": (
        "{share} des essais de qui connaît quelques quasi-identifiants désignent la bonne personne"
    ),
    "{share} of all rows give their sensitive value away": (
        "{share} de toutes les lignes dévoilent leur valeur sensible"
    ),
    "the classes remove {share} of the uncertainty about the sensitive value": (
        "les classes lèvent {share} de l’incertitude sur la valeur sensible"
    ),
    "Uncertainty removed": "Incertitude levée",
    "τ = (chance of the true value by class − in the table) / (1 − in the table)": (
        "τ = (chance de la vraie valeur par classe − dans le tableau) / (1 − dans le tableau)"
    ),
    "How much of the uncertainty about the sensitive value goes when the class of a row is known.\n\n"
    "A value that a share p of the rows has is guessed with chance p. The chance of the true value, on average\n"
    "over the rows, is compared by class and in the whole table. This is Goodman and Kruskal's τ: 0 if all\n"
    "classes are like the table, 1 if each class gives its value away.": (
        "La part de l’incertitude sur la valeur sensible que lève la connaissance de la classe d’une ligne.\n\n"
        "Une valeur portée par une part p des lignes est devinée avec une chance p. On compare la chance de la vraie "
        "valeur, en moyenne sur les lignes, par classe et dans le tableau entier. C’est le τ de Goodman et "
        "Kruskal\u00a0: 0 si toutes les classes ressemblent au tableau, 1 si chaque classe dévoile sa valeur."
    ),
    "Chance of the true value of {column}": "Chance de la vraie valeur de {column}",
    "by class": "par classe",
    "in the whole table": "dans le tableau entier",
    "mean over rows": "moyenne sur les lignes",
    "being in the data adds {share} to the right guesses of the sensitive value": (
        "figurer dans les données ajoute {share} aux valeurs sensibles devinées"
    ),
    "{share} of the individuals stand in small traces whose exact count is known": (
        "{share} des individus ont laissé une trace rare dont on connaît l’effectif exact"
    ),
    "{share} of the masked counts become known with a second table": (
        "{share} des effectifs masqués deviennent connus grâce à un second tableau"
    ),
    # Tables: measures.
    "The bound c above which the table is recursively (c, l)-diverse; none when a class has fewer values.\n\n"
    "l is 2 unless it is set (`table risk --l 3`, or `recursive_c.l` in the settings of a recipe).": (
        "La borne c au-dessus de laquelle le tableau est récursivement (c, l)-divers\u202f; aucune si une "
        "classe a moins de valeurs.\n\n"
        "l vaut 2, sauf réglage contraire (`table risk --l 3`, ou `recursive_c.l` dans les réglages d’une "
        "recette)."
    ),
    "The share of rows whose sensitive value is revealed although k holds: their class has only one.\n\n"
    "A class of a bucketised table has the values of all groups that its rows stand in.": (
        "La part des lignes dont la donnée sensible est révélée bien que k soit respecté\u00a0: leur "
        "classe n’en contient qu’une.\n\n"
        "Dans un tableau réparti en groupes, une classe a les valeurs de tous les groupes de ses lignes."
    ),
    "Sensitive values guessed": "Valeurs sensibles devinées",
    "right guesses of the sensitive value on people in the data − on people who are not": (
        "part des valeurs sensibles devinées pour les personnes des données − pour celles qui n’y sont pas"
    ),
    "How much better an attacker who knows the quasi-identifiers guesses the values of people in the data.\n\n"
    "The guess is the most frequent sensitive value among the published rows that fit; where none fits, among\n"
    "all. Half of the people are held out and the method is rehearsed on the others: right guesses on these\n"
    "minus right guesses on those held out is what the release gives away, not what statistics tell anyway. The\n"
    "95 % interval is a percentile bootstrap over people. Of more than 2,000 people a half a sample is tried.": (
        "De combien un attaquant qui connaît les quasi-identifiants devine mieux les valeurs des personnes "
        "présentes dans les données.\n\n"
        "Il propose la valeur sensible la plus fréquente parmi les lignes publiées compatibles\u202f; si aucune "
        "ne l’est, parmi toutes. La moitié des personnes est mise à l’écart et la méthode est répétée sur les "
        "autres\u00a0: les réussites sur celles-ci moins les réussites sur les personnes mises à l’écart mesurent "
        "ce que la publication dévoile, et non ce que la statistique apprend de toute façon. L’intervalle à "
        "95\u00a0% vient d’un bootstrap (centiles) sur les personnes. Au-delà de 2\u202f000 personnes par moitié, "
        "on essaie un échantillon."
    ),
    "How often an attacker who knows m quasi-identifiers of a person picks that person's row.\n\n"
    "On a large table a seeded sample of the rows is tried; the figure says of how many. As a threat, any row\n"
    "of the person is the right one, where the identifier is known.": (
        "À quelle fréquence un attaquant qui connaît m quasi-identifiants d’une personne choisit la ligne "
        "de cette personne.\n\n"
        "Sur un grand tableau, on essaie un échantillon de lignes tiré d’une graine\u202f; la figure dit de combien. "
        "Comme menace, toute ligne de la personne est la bonne, si l’identifiant est connu."
    ),
    "mean over rows and columns of width/range or (set − 1)/(domain − 1); what is deleted counts 1": (
        "moyenne, sur les lignes et les colonnes, de largeur/étendue ou de (ensemble − 1)/(domaine − "
        "1)\u202f; ce qui est supprimé compte 1"
    ),
    "How wide the published intervals and sets are, from 0 (exact) to 1 (anything, or deleted).\n\n"
    "Over the declared quasi-identifiers, and what else is published by group. A row that is deleted counts 1,\n"
    'and so does a column that is not published; "missing" is one value more.': (
        "La largeur des intervalles et des ensembles publiés, de 0 (valeur exacte) à 1 (n’importe quelle "
        "valeur, ou ligne supprimée).\n\n"
        "Sur les quasi-identifiants déclarés, et sur toute autre colonne publiée par groupes. Une ligne supprimée "
        "compte 1, une colonne non publiée aussi\u202f; «\u00a0manquant\u00a0» est une valeur de plus."
    ),
    "mean over 5 × 2 halves of accuracy learnt from the original − from the release, on originals": (
        "moyenne, sur 5 × 2 moitiés, de l’exactitude apprise sur l’original − sur la version publiée, pour "
        "des originaux"
    ),
    "How much worse the sensitive column is predicted by a decision tree that learnt from the release.\n\n"
    "The original rows are halved five times; each half is predicted by trees that learnt from the other half\n"
    "and from what is published of it (5 × 2 cross-validation). The interval is the corrected resampled t\n"
    "interval (95 %) of Nadeau and Bengio: mean ± t₉·√((1/10 + 1)·s²) over the ten differences. Of more than\n"
    "10,000 rows a seeded sample is taken.": (
        "De combien la colonne sensible est moins bien prédite par un arbre de décision qui a appris sur "
        "la version publiée.\n\n"
        "Les lignes originales sont coupées en deux cinq fois\u202f; chaque moitié est prédite par des arbres qui "
        "ont appris sur l’autre moitié et sur ce qui en est publié (validation croisée 5 × 2). L’intervalle (95\u00a0%) "
        "est celui de Nadeau et Bengio, corrigé du rééchantillonnage\u00a0: moyenne ± t₉·√((1/10 + 1)·s²) sur les "
        "dix différences. Au-delà de 10\u202f000 lignes, on prend un échantillon tiré d’une graine."
    ),
    "Accuracy on the other half of the original rows": (
        "Exactitude sur l’autre moitié des lignes originales"
    ),
    "c of each sensitive column, for l = {l}": "c de chaque colonne sensible, pour l = {l}",
    "Linkage success by what is known, on a sample of {tried} of {rows} rows": (
        "Réussite de l’appariement selon ce qui est connu, sur un échantillon de {tried} lignes parmi {rows}"
    ),
    "Guesses of {column} that are right": "Valeurs de {column} devinées",
    "Guesses of {column} that are right, on a sample of {tried} of {people} people": (
        "Valeurs de {column} devinées, sur un échantillon de {tried} personnes parmi {people}"
    ),
    "people in the data": "personnes des données",
    "people who are not": "personnes absentes des données",
    "the sensitive column is not published": "la colonne sensible n’est pas publiée",
    "the release was handed in: its method cannot be rehearsed": (
        "les données publiées ont été remises telles quelles\u00a0: la méthode ne peut pas être répétée"
    ),
    "there are fewer than {people} people to compare": "il y a moins de {people} personnes à comparer",
    "the method cannot be rehearsed on half of the people": (
        "la méthode ne peut pas être répétée sur la moitié des personnes"
    ),
    # Study traces: measures.
    "Small traces": "Traces rares",
    "People in small traces with a known count": "Personnes de traces rares à effectif connu",
    "individuals in traces of fewer than `small` people whose exact count is known / individuals": (
        "individus de traces de moins de `small` personnes dont on connaît l’effectif exact / individus"
    ),
    "How many stand in a trace of a few people, and the table tells how many they are.\n\n"
    "The count is known if it is published, if the mask leaves it one value (below 2 that is 1), or if it\n"
    "follows from the number of all individuals and a second table without the prefix.": (
        "Combien ont laissé une trace que peu de personnes partagent, et dont le tableau dit l’effectif.\n\n"
        "L’effectif est connu s’il est publié, si le masque ne lui laisse qu’une valeur (en dessous de 2, c’est "
        "1), ou s’il se déduit du nombre total d’individus et d’un second tableau sans le préfixe."
    ),
    "parameter:small": "petit effectif",
    "Individuals in traces of fewer than {small} people": "Individus des traces de moins de {small} personnes",
    "exact count known": "effectif exact connu",
    "exact count hidden": "effectif exact caché",
    "larger traces": "traces plus fréquentes",
    # What is not protected.
    "{share} of the published rows stand in groups that leave one sensitive value: it is revealed.": (
        "{share} des lignes publiées sont dans des groupes à une seule valeur sensible\u00a0: elle est révélée."
    ),
    "Whoever knows somebody's quasi-identifiers gives the true sensitive value a chance of {chance} on average, "
    "instead of {before} without them.": (
        "Qui connaît les quasi-identifiants de quelqu’un donne à la vraie valeur sensible une chance de {chance} en "
        "moyenne, au lieu de {before} sans eux."
    ),
    "Published as they are, although they look like direct identifiers: {columns}.": (
        "Publiées telles quelles, bien qu’elles ressemblent à des identifiants directs\u00a0: {columns}."
    ),
    "Published as they are, and nearly unique: {columns}. Whoever knows such a value finds the row.": (
        "Publiées telles quelles, et presque uniques\u00a0: {columns}. Qui connaît une telle valeur retrouve la "
        "ligne."
    ),
    "{quasi} can be told from {column}: k = {k} on the quasi-identifiers you named, {left} if {column} is known "
    "too.": (
        "{column} permet de deviner {quasi}\u00a0: k = {k} sur les quasi-identifiants déclarés, {left} si l’on "
        "connaît aussi {column}."
    ),
    "{share} of the individuals stand in small traces whose exact count is published or can be derived.": (
        "{share} des individus ont laissé une trace rare dont l’effectif exact est publié ou peut être déduit."
    ),
}
