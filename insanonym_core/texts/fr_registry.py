"""Measures, methods and attacks, with their formulas, parameters, units and choices, in French."""

from __future__ import annotations

FRENCH: dict[str, str] = {
    # Avatars: measures.
    "Distance to the closest record (DCR)": "Distance à l’enregistrement le plus proche (DCR)",
    "median over avatars of the distance to the closest original": (
        "médiane, sur les avatars, de la distance à l’original le plus proche"
    ),
    "How far avatars stay from real rows. Means something only beside real rows: see its baselines.": (
        "À quelle distance des vraies lignes les avatars se tiennent. Ne se lit qu’à côté de vraies "
        "lignes\u00a0: voir les valeurs de référence."
    ),
    "Nearest-neighbour distance ratio (NNDR)": "Rapport des distances aux deux plus proches voisins (NNDR)",
    "median over avatars of closest / second closest original": (
        "médiane, sur les avatars, du rapport plus proche original / deuxième plus proche"
    ),
    "Near 1, an avatar lies between several people; near 0, it points at one of them.": (
        "Près de 1, un avatar se trouve entre plusieurs personnes\u202f; près de 0, il en désigne une seule."
    ),
    "Hidden rate": "Taux de dissimulation",
    "share of originals with local cloaking > 0": "part des originaux dont le camouflage local est > 0",
    (
        "The share of people whose own avatar is not alone the closest to them.\n\n"
        "Who has another avatar at the same distance is hidden too; the strict rate beside it says otherwise. "
        "Where\n"
        "the identifier is known, all avatars of a person are their own. The interval is Wilson's."
    ): (
        "La part des personnes dont l’avatar n’est pas, à lui seul, le plus proche d’elles.\n\n"
        "Une personne qui a un autre avatar à la même distance compte aussi comme cachée\u202f; le taux strict, "
        "à côté, en juge autrement. Si l’identifiant est connu, tous les avatars d’une personne sont les siens. "
        "L’intervalle est celui de Wilson."
    ),
    "{share} of the people have their own avatar alone as the closest one": (
        "{share} des personnes ont pour seul avatar le plus proche le leur"
    ),
    "Hidden rate, strict": "Taux de dissimulation strict",
    "share of originals with another avatar closer than their own": (
        "part des originaux dont un autre avatar est plus proche que le leur"
    ),
    (
        "The share of people whose own avatar is not among the closest to them, not even with others.\n\n"
        "Without ties it is the hidden rate. Where several avatars are equal, an attacker who takes one of the\n"
        "closest at random may well take the right one."
    ): (
        "La part des personnes dont l’avatar n’est pas parmi les plus proches d’elles, pas même à égalité.\n\n"
        "Sans égalité, c’est le taux de dissimulation. Quand plusieurs avatars sont égaux, un attaquant qui en "
        "prend un au hasard parmi les plus proches peut fort bien tomber sur le bon."
    ),
    "Local cloaking": "Camouflage local",
    "median over originals of the other avatars at least as close as the own": (
        "médiane, sur les originaux, du nombre d’autres avatars au moins aussi proches que le leur"
    ),
    "Behind how many other avatars a person hides.": (
        "Derrière combien d’autres avatars une personne se cache."
    ),
    "Identical rows": "Lignes identiques",
    "share of avatars equal to an original in every column": (
        "part des avatars égaux à un original dans toutes les colonnes"
    ),
    (
        "Copies. In a table of few categories some arise by chance; in one of measurements none should.\n\n"
        "A missing value equals a missing one."
    ): (
        "Des copies. Dans un tableau de quelques catégories, il en naît par hasard\u202f; dans un tableau "
        "de mesures, il ne devrait pas y en avoir.\n\n"
        "Une valeur manquante est égale à une valeur manquante."
    ),
    "{share} of the avatars are copies of a real row": "{share} des avatars sont des copies d’une vraie ligne",
    "DCR share": "Part DCR",
    "share of avatars closer to the training half than to the held-out half (ties ½)": (
        "part des avatars plus proches de la moitié d’apprentissage que de la moitié mise de côté "
        "(égalité\u00a0: ½)"
    ),
    "Above one half, avatars lie closer to the people they were made from than to others like them.": (
        "Au-dessus d’un demi, les avatars sont plus proches des personnes dont ils sont issus que d’autres "
        "personnes semblables."
    ),
    "Membership inference (AUC)": "Inférence d’appartenance (AUC)",
    "AUC of minus the distance to the nearest avatar, training half against held-out half": (
        "AUC de l’opposé de la distance à l’avatar le plus proche, moitié d’apprentissage contre moitié "
        "mise de côté"
    ),
    (
        "How well an attacker tells who was in the data by how close they are to an avatar; 0.5 is a coin.\n\n"
        "Avatars are made from one half of the people; the other half are people who were not in it. The "
        "interval\n"
        "is a bootstrap over people."
    ): (
        "À quel point un attaquant devine qui figurait dans les données, d’après la distance à l’avatar le "
        "plus proche\u202f; 0,5 revient à jouer à pile ou face.\n\n"
        "Les avatars sont faits à partir d’une moitié des personnes\u202f; l’autre moitié n’y figurait "
        "pas. L’intervalle\n"
        "est un bootstrap (rééchantillonnage) sur les personnes."
    ),
    "who was in the data is told {share} of the way from a coin to certainty": (
        "entre le pile ou face et la certitude, {share} du chemin est fait pour dire qui figurait dans les données"
    ),
    "{share} of the people are found by a few columns that an attacker knows": (
        "{share} des personnes sont retrouvées grâce à quelques colonnes que connaît un attaquant"
    ),
    "Linkage success": "Réussite de l’appariement",
    "mean over m-subsets of columns of the share of originals whose nearest avatar is their own": (
        "moyenne, sur les sous-ensembles de m colonnes, de la part des originaux dont l’avatar le plus "
        "proche est le leur"
    ),
    (
        "How often an attacker who knows some columns of a person finds that person's avatar.\n\n"
        "The mean over all subsets of that many columns (at most 50 drawn ones), the worst subset beside it. "
        "Among\n"
        "more than 2,000 people, 2,000 drawn ones are sought. The interval is a bootstrap over people."
    ): (
        "À quelle fréquence un attaquant qui connaît quelques colonnes d’une personne retrouve l’avatar de "
        "cette personne.\n\n"
        "La moyenne sur tous les sous-ensembles de ce nombre de colonnes (50 au plus, tirés au hasard), à "
        "côté du pire d’entre eux. Au-delà de 2\u202f000 personnes, on en cherche 2\u202f000, tirées au hasard. "
        "L’intervalle est un bootstrap (rééchantillonnage) sur les personnes."
    ),
    "Values guessed": "Valeurs devinées",
    "right guesses of a value on people in the data − on people who are not": (
        "part de valeurs bien devinées chez les personnes qui figurent dans les données − chez celles qui n’y "
        "figurent pas"
    ),
    "being in the data adds {share} to the right guesses of a value": (
        "figurer dans les données ajoute {share} aux valeurs bien devinées"
    ),
    (
        "How much better an attacker guesses a value of people in the data than of people who are not in it."
        "\n\n"
        "The guess is the value of the nearest avatar on the columns that the attacker knows: the\n"
        "quasi-identifiers, or all others where none are named. Guessed are the sensitive columns, or each "
        "column\n"
        "in turn (at most 50 drawn ones). A number is right within 5 % of the span between its 5th and its "
        "95th\n"
        "percentile. Avatars are made from one half of the people; the other half are not in the data: the\n"
        "difference is what the release gives away, not what statistics tell anyway. Of more than 500 people "
        "a\n"
        "half, 500 drawn ones are tried. The interval is a bootstrap over people."
    ): (
        "De combien un attaquant devine mieux une valeur des personnes qui figurent dans les données que de "
        "celles qui n’y figurent pas.\n\n"
        "Il donne la valeur de l’avatar le plus proche sur les colonnes qu’il connaît\u00a0: les "
        "quasi-identifiants, ou toutes les autres si aucun n’est nommé. On lui fait deviner les colonnes "
        "sensibles, ou chaque colonne à son tour (50 au plus, tirées au hasard). Un nombre est juste à 5\u00a0% "
        "près de l’écart entre son 5\u1d49 et son 95\u1d49 centile. Les avatars sont faits à partir d’une moitié "
        "des personnes\u202f; l’autre ne figure pas dans les données\u00a0: la différence est ce que livre la "
        "publication, et non ce que les statistiques disent de toute façon. Au-delà de 500 personnes par "
        "moitié, on en essaie 500, tirées au hasard. L’intervalle est un bootstrap (rééchantillonnage) sur les "
        "personnes."
    ),
    "Resemblance": "Ressemblance",
    "1 − mean of the distances of columns, correlations and first component": (
        "1 − moyenne des distances entre colonnes, entre corrélations et sur la première composante"
    ),
    "How much avatars look like the originals in one number, from three distances.": (
        "À quel point les avatars ressemblent aux originaux, en un seul nombre tiré de trois distances."
    ),
    "Distance of the columns": "Distance entre les colonnes",
    "mean over columns of KS (numbers, dates) or Hellinger (categories)": (
        "moyenne, sur les colonnes, de KS (nombres, dates) ou de Hellinger (catégories)"
    ),
    "How far the distribution of each column moved, between the values that were observed.": (
        "De combien la distribution de chaque colonne s’est déplacée, entre valeurs observées."
    ),
    "Distance of the correlations": "Distance entre les corrélations",
    "mean |r − r′| over pairs of numeric columns": (
        "moyenne de |r − r′| sur les paires de colonnes numériques"
    ),
    "How far the correlations between numbers and dates moved.": (
        "De combien les corrélations entre nombres et dates ont changé."
    ),
    "Distance on the first component": "Distance sur la première composante",
    "KS of originals and avatars on the first principal component": (
        "KS entre originaux et avatars sur la première composante principale"
    ),
    "Whether the two clouds lie on top of each other.": "Dit si les deux nuages de points se superposent.",
    "Variance kept by the components": "Variance conservée par les composantes",
    "Σ of the kept components' variance / Σ of all": "Σ des variances des composantes retenues / Σ de toutes",
    "What the components leave out cannot come back in the avatars.": (
        "Ce que les composantes laissent de côté ne peut pas revenir dans les avatars."
    ),
    "Accuracy lost by a classifier": "Exactitude perdue par un classifieur",
    "accuracy on held-out originals, learnt from originals − learnt from avatars": (
        "exactitude sur des originaux mis de côté\u00a0: après apprentissage sur les originaux − sur les "
        "avatars"
    ),
    (
        "How much worse a decision tree predicts held-out originals if it learnt from avatars.\n\n"
        "Without a `target`, the last column with 2 to 50 different values is predicted."
    ): (
        "De combien un arbre de décision prédit moins bien des originaux mis de côté s’il a appris sur les "
        "avatars.\n\n"
        "Sans `target`, on prédit la dernière colonne qui a de 2 à 50 valeurs différentes."
    ),
    # Mobility: measures. v2 first, then v1.
    "Date": "Date",
    "Σ max(0, 1 − Δdays/7) / n": "Σ max(0, 1 − Δjours/7) / n",
    "Each row is worth 1, less 1/7 for each calendar day its date moved; deleted rows earn 0.": (
        "Chaque ligne vaut 1 point, moins 1/7 par jour d’écart de sa date\u202f; une ligne supprimée ne "
        "rapporte rien."
    ),
    "Σ max(0, 1 − Δdays/3) / n": "Σ max(0, 1 − Δjours/3) / n",
    "Each row is worth 1, less 1/3 for each calendar day its date moved; deleted rows earn 0.": (
        "Chaque ligne vaut 1 point, moins 1/3 par jour d’écart de sa date\u202f; une ligne supprimée ne "
        "rapporte rien."
    ),
    "Hour": "Heure",
    "Σ (1 − |h′ − h|/24) / n": "Σ (1 − |h′ − h|/24) / n",
    "Each row is worth 1, less 1/24 for each hour between its two hours of the day.": (
        "Chaque ligne vaut 1 point, moins 1/24 par heure d’écart entre ses deux heures de la journée."
    ),
    "Σ hourdec[(h′ − h) mod 24] / n": "Σ hourdec[(h′ − h) mod 24] / n",
    "Each row is worth what the source's table gives for its shift of hours, around the clock.": (
        "Chaque ligne vaut ce que le tableau de la source donne pour son décalage d’heures, sur le cadran "
        "de 24 heures."
    ),
    "Distance": "Distance",
    "Σ (1 if d < 1 km else 1/d) / n, d haversine in km": (
        "Σ (1 si d < 1 km, sinon 1/d) / n, d haversine en km"
    ),
    "Each row is worth 1 while it stays within a kilometre of its place, 1/d beyond.": (
        "Chaque ligne vaut 1 point tant qu’elle reste à moins d’un kilomètre de sa place, 1/d au-delà."
    ),
    "Σ max(0, 1 − (|Δlat| + |Δlon|)/dx) / n": "Σ max(0, 1 − (|Δlat| + |Δlon|)/dx) / n",
    "Each row loses in proportion to the degrees it moved; nothing is left at dx degrees.": (
        "Chaque ligne perd en proportion des degrés de son déplacement\u202f; à dx degrés, il ne reste rien."
    ),
    "max(0, 1 − Σ|s − s′| / Σ s)": "max(0, 1 − Σ|s − s′| / Σ s)",
    "How much of the stay at each person's weekly home, work and activity place is found again.": (
        "La part du temps de séjour que l’on retrouve aux lieux de chaque personne, semaine par "
        "semaine\u00a0: habitation, travail, activité."
    ),
    "mean over POIs of min(s, s′)/max(s, s′)": "moyenne, sur les points d’intérêt, de min(s, s′)/max(s, s′)",
    "How alike the stays at each person's three main weekly places of each type are, on average.": (
        "À quel point se ressemblent, en moyenne, les temps de séjour aux trois principaux lieux de chaque "
        "type, par personne et par semaine."
    ),
    "Area covered": "Zone de couverture",
    "mean over individuals of min(c, c′)/max(c, c′)": "moyenne, sur les individus, de min(c, c′)/max(c, c′)",
    "How alike the numbers of different cells are that each individual visits before and after.": (
        "À quel point se ressemblent, avant et après, les nombres de cellules différentes que visite "
        "chaque individu."
    ),
    "mean over (individual, cell) in either file of min(c, c′)/max(c, c′)": (
        "moyenne, sur les couples (individu, cellule) de l’un ou l’autre fichier, de min(c, c′)/max(c, c′)"
    ),
    "How alike the numbers of records are that each individual has in each cell, before and after.": (
        "À quel point se ressemblent, avant et après, les nombres d’enregistrements de chaque individu "
        "dans chaque cellule."
    ),
    "Busiest places": "Lieux les plus fréquentés",
    "min(1, release records on the common top cells / original records on its top cells)": (
        "min(1, enregistrements publiés sur les cellules de tête communes / enregistrements de l’original "
        "sur ses cellules de tête)"
    ),
    "How many records the busiest 10 % of the cells keep, where both files agree that they are busy.": (
        "Combien d’enregistrements gardent les 10\u202f% de cellules les plus fréquentées, là où les deux "
        "fichiers s’accordent à les dire telles."
    ),
    "common top cells / m": "cellules de tête communes / m",
    "Which share of the original's busiest 10 % of cells is among the release's busiest ones.": (
        "Quelle part des 10\u202f% de cellules les plus fréquentées de l’original se trouve parmi les plus "
        "fréquentées de la version publiée."
    ),
    # Tables: measures.
    "k (rows)": "k (lignes)",
    "smallest class of equal quasi-identifiers": "plus petite classe de quasi-identifiants égaux",
    "Every combination of quasi-identifiers in the file is shared by at least this many rows.": (
        "Chaque combinaison de quasi-identifiants du fichier est partagée par au moins ce nombre de lignes."
    ),
    "Unique rows": "Lignes uniques",
    "rows in classes of one / published rows": "lignes seules dans leur classe / lignes publiées",
    "The share of rows that no other row looks like.\n\n"
    "As a threat, rows whose class is one person's count too, where the identifier is known.": (
        "La part des lignes auxquelles aucune autre ne ressemble.\n\n"
        "Comme menace, les lignes dont la classe n’est qu’à une personne comptent aussi, si l’identifiant est "
        "connu."
    ),
    "Prosecutor risk, highest": "Risque du procureur, maximal",
    "max 1/size = 1/k": "max 1/taille = 1/k",
    "The chance to pick the right row for the worst protected person, who is known to be in the table.": (
        "La probabilité de désigner la bonne ligne pour la personne la moins bien protégée, dont on sait "
        "qu’elle figure dans le tableau."
    ),
    "Prosecutor risk, mean": "Risque du procureur, moyen",
    "classes / published rows": "classes / lignes publiées",
    "The same chance averaged over all rows (without a population table also the marketer's risk).\n\n"
    "As a threat, any row of the person is the right one, where the identifier is known.": (
        "La même probabilité, en moyenne sur toutes les lignes (sans tableau de la population, c’est aussi "
        "le risque du démarcheur).\n\n"
        "Comme menace, toute ligne de la personne est la bonne, si l’identifiant est connu."
    ),
    "Rows at high risk": "Lignes à haut risque",
    "rows with 1/size > threshold / published rows": "lignes où 1/taille > seuil / lignes publiées",
    "The share of rows whose risk lies above a threshold.": (
        "La part des lignes dont le risque dépasse un seuil."
    ),
    "l (different values)": "l (valeurs différentes)",
    "fewest different sensitive values in a class": (
        "plus petit nombre de valeurs sensibles différentes dans une classe"
    ),
    "Every class holds at least this many different sensitive values.": (
        "Chaque classe contient au moins ce nombre de valeurs sensibles différentes."
    ),
    "Entropy l": "l entropique",
    "exp of the smallest entropy of a class": "exponentielle de la plus petite entropie d’une classe",
    "As l, but a value that nearly everybody in a class has counts for little.": (
        "Comme l, mais une valeur que presque tout le monde partage dans une classe compte peu."
    ),
    "Recursive (c, l)": "Diversité récursive (c, l)",
    "smallest c with r₁ < c·(r_l + … + r_m) in every class": (
        "plus petit c tel que r₁ < c·(r_l + … + r_m) dans chaque classe"
    ),
    "t-closeness": "t-proximité",
    "largest distance between a class and the whole table (equal, or ordered for numbers)": (
        "plus grande distance entre une classe et le tableau entier (égale, ou ordonnée pour les nombres)"
    ),
    "How far the sensitive values of a class are from those of the whole table, at worst.": (
        "À quel point, au pire, les valeurs sensibles d’une classe s’écartent de celles du tableau entier."
    ),
    "Rows given away": "Lignes dévoilées",
    "rows in classes with one sensitive value / published rows": (
        "lignes des classes à une seule valeur sensible / lignes publiées"
    ),
    "mean over rows and m-subsets of 1/compatible release rows, 0 if the own is not among them": (
        "moyenne, sur les lignes et les sous-ensembles de m colonnes, de 1/lignes publiées "
        "compatibles\u202f; 0 si la bonne n’en fait pas partie"
    ),
    "Rows kept": "Lignes conservées",
    "released rows / rows": "lignes publiées / lignes",
    "The share of the rows that are published.": "La part des lignes qui sont publiées.",
    "Information lost (NCP)": "Perte d’information (NCP)",
    "Discernibility": "Discernabilité",
    "Σ|E|² + rows · deleted": "Σ|E|² + lignes · supprimées",
    "Each row costs the size of its class, a deleted row the size of the whole table.": (
        "Chaque ligne coûte la taille de sa classe\u202f; une ligne supprimée, la taille du tableau entier."
    ),
    "Average class size": "Taille moyenne des classes",
    "released rows / (classes · k asked)": "lignes publiées / (classes · k demandé)",
    "How much larger classes are than they had to be.": (
        "Combien de fois les classes sont plus grandes que nécessaire."
    ),
    "Distributions": "Distributions",
    "mean over columns of total variation (categories) or KS (numbers)": (
        "moyenne, sur les colonnes, de la variation totale (catégories) ou de KS (nombres)"
    ),
    "How far the distribution of each published column moved; intervals are spread evenly.": (
        "De combien la distribution de chaque colonne publiée s’est déplacée\u202f; un intervalle est "
        "réparti uniformément."
    ),
    "Correlations": "Corrélations",
    "How far the correlations between numbers and dates moved; an interval counts as its middle.": (
        "De combien les corrélations entre nombres et dates ont changé\u202f; un intervalle compte pour "
        "son milieu."
    ),
    "Range queries": "Requêtes par intervalles",
    "median of |estimate − true| / max(true, rows/1000) over seeded queries": (
        "médiane de |estimation − vraie valeur| / max(vraie valeur, lignes/1000) sur des requêtes tirées "
        "d’une graine"
    ),
    "How wrong counts from the release are: rows within spans of two columns and of the sensitive one.": (
        "À quel point les comptages tirés de la version publiée sont faux\u00a0: les lignes comprises dans "
        "des intervalles de deux colonnes et de la colonne sensible."
    ),
    "Classifier": "Classifieur",
    # Traces: measures.
    "People alone in their trace": "Personnes seules dans leur trace",
    "individuals whose trace nobody else left / individuals": (
        "individus dont personne d’autre n’a laissé la trace / individus"
    ),
    "Whoever knows such a person's path finds it in the table, whether its count is masked or not.": (
        "Qui connaît le parcours d’une telle personne le retrouve dans le tableau, que son effectif soit "
        "masqué ou non."
    ),
    "Masked counts pinned by a second table": "Effectifs masqués qu’un second tableau dévoile",
    "masked counts that the tables with and without prefix fix together / masked counts": (
        "effectifs masqués que les tableaux avec et sans préfixe déterminent ensemble / effectifs masqués"
    ),
    "Rare steps": "Étapes rares",
    "items that concern fewer than k individuals / items": (
        "étapes qui concernent moins de k individus / étapes"
    ),
    "Steps so rare that they give a trace away by themselves.": (
        "Des étapes si rares qu’elles trahissent une trace à elles seules."
    ),
    "Individuals counted exactly": "Individus dénombrés exactement",
    "individuals whose trace has an exact count / individuals before any cleaning": (
        "individus dont la trace a un effectif exact / individus avant tout nettoyage"
    ),
    "What is neither deleted by cleaning nor masked.": "Ce qui n’est ni supprimé par le nettoyage ni masqué.",
    "Rows kept by the cleaning": "Lignes conservées par le nettoyage",
    "rows after cleaning / rows": "lignes après nettoyage / lignes",
    "The share of the rows that the cleaning left.": "La part des lignes que le nettoyage a laissées.",
    "Traces counted exactly": "Traces dénombrées exactement",
    "different traces with an exact count / different traces": (
        "traces différentes à l’effectif exact / traces différentes"
    ),
    "How much of the variety of paths is left readable.": "Ce qui reste lisible de la variété des parcours.",
    # Avatars: methods.
    "Avatars (mix of PCA neighbours)": "Avatars (mélange de voisins dans l’ACP)",
    (
        "Replaces each row by a random mix of its nearest rows on the principal components.\n\n"
        "Someone alone in a region gets an avatar far from themselves but close to nobody else: they can "
        "still be\n"
        "told. `components` = 0 takes as many as reach `variance`. `exponential` weights and `include_self` "
        "are the\n"
        "source's, for the lesson: the first hides fewer people, the second publishes each row's projection.\n"
        "Missing numbers are imputed for distances alone: as many stay missing as there were."
    ): (
        "Remplace chaque ligne par un mélange aléatoire des lignes les plus proches d’elle sur les "
        "composantes principales.\n\n"
        "Une personne seule dans sa région reçoit un avatar loin d’elle, mais qui n’est proche de personne "
        "d’autre\u00a0: on peut encore\n"
        "la reconnaître. `components` = 0 en prend autant qu’il en faut pour atteindre `variance`. Les "
        "poids `exponential` et\n"
        "l’option `include_self` viennent de la source, pour la leçon\u00a0: les premiers cachent moins de "
        "personnes, la seconde publie la projection de chaque ligne. Les nombres manquants ne sont imputés que "
        "pour les distances\u00a0: il en manque autant qu’avant."
    ),
    # Mobility: methods.
    "Pseudonyms": "Pseudonymes",
    (
        "Gives each individual a random token, a new one every ISO week or one for the whole file.\n\n"
        "Does not protect against anybody who knows where a person goes: the rows themselves are unchanged."
    ): (
        "Donne à chaque individu un pseudonyme aléatoire, nouveau chaque semaine ISO ou le même pour tout "
        "le fichier.\n\n"
        "Ne protège pas contre qui sait où va une personne\u00a0: les lignes elles-mêmes ne changent pas."
    ),
    "Gaussian noise": "Bruit gaussien",
    (
        "Moves every point by independent normal steps of `sigma` metres north and east.\n\n"
        "Averages out where somebody stays: weak against mean_position and poi."
    ): (
        "Déplace chaque point de pas normaux indépendants de `sigma` mètres, vers le nord et vers "
        "l’est.\n\n"
        "S’annule en moyenne là où quelqu’un séjourne\u00a0: faible contre mean_position et poi."
    ),
    "Uniform noise": "Bruit uniforme",
    (
        "Moves every point to a uniform place in the disc of `radius` metres around it.\n\n"
        "The original is never further than the radius (a little more near the poles): a promise to users and "
        "to\n"
        "attackers alike."
    ): (
        "Déplace chaque point vers un endroit tiré uniformément dans le disque de `radius` mètres qui "
        "l’entoure.\n\n"
        "L’original n’est jamais plus loin que le rayon (ou à peine, au voisinage des pôles)\u00a0: une "
        "promesse faite aux\n"
        "utilisateurs comme aux attaquants."
    ),
    "Planar Laplace": "Laplace planaire",
    (
        "Geo-indistinguishability: 95 % of the points stay within `radius` metres (ε = "
        "4.743864518/radius).\n\n"
        "The promise holds for one point; a hundred points of one stay average it away: see stop_noise."
    ): (
        "Géo-indiscernabilité\u00a0: 95\u202f% des points restent à moins de `radius` mètres (ε = "
        "4,743864518/radius).\n\n"
        "La promesse vaut pour un point\u202f; la moyenne de cent points d’un même séjour l’efface\u00a0: "
        "voir stop_noise."
    ),
    "Noise per stop": "Bruit par arrêt",
    (
        "Planar Laplace with one draw per stay (consecutive records in one cell), so that averaging fails.\n\n"
        "Whoever comes back every day gets a new draw every day: over many visits the place still shows."
    ): (
        "Laplace planaire avec un seul tirage par séjour (enregistrements consécutifs dans une même "
        "cellule), pour que la moyenne n’apprenne rien.\n\n"
        "Qui revient chaque jour reçoit chaque jour un nouveau tirage\u00a0: au fil des visites, le lieu "
        "finit par se voir."
    ),
    "Grid": "Grille",
    (
        "Rounds coordinates to a number of decimals: 2 is about a kilometre, 3 a hundred metres.\n\n"
        "A cell can still hold a single person: rounding alone promises no crowd."
    ): (
        "Arrondit les coordonnées à un nombre de décimales\u00a0: 2 décimales font environ un kilomètre, 3 "
        "une centaine de mètres.\n\n"
        "Une cellule peut encore ne contenir qu’une seule personne\u00a0: l’arrondi seul ne garantit pas "
        "d’y être plusieurs."
    ),
    "Cells with k people": "Cellules de k personnes",
    (
        "Moves each row to the centre of a square that holds at least k individuals that week.\n\n"
        "Squares are those of a quadtree; one is split only if every part that holds rows holds k "
        "individuals, so a\n"
        "smaller square with k individuals may exist. A week with fewer than k individuals is deleted. "
        "Times stay\n"
        "exact. Anybody who knows the path can still follow it through the squares: k people per square "
        "are not k\n"
        "people per path."
    ): (
        "Déplace chaque ligne au centre d’un carré qui contient au moins k individus cette semaine-là.\n\n"
        "Les carrés sont ceux d’un arbre quaternaire\u202f; l’un d’eux n’est divisé que si chaque partie "
        "qui contient des lignes\n"
        "contient k individus\u00a0: il peut donc exister un carré plus petit avec k individus. Une semaine "
        "de moins de k individus est supprimée.\n"
        "Les heures restent exactes. Qui connaît le trajet peut encore le suivre de carré en carré\u00a0: "
        "k personnes par carré ne font\n"
        "pas k personnes par trajet."
    ),
    "Delete rare cells": "Suppression des cellules rares",
    (
        "Deletes the rows in cells that fewer than k individuals visit in the whole file.\n\n"
        "Being one of k visitors of every cell does not hide a rare combination of cells."
    ): (
        "Supprime les lignes des cellules que moins de k individus visitent dans tout le fichier.\n\n"
        "Être l’un des k visiteurs de chaque cellule ne cache pas une combinaison rare de cellules."
    ),
    "Time jitter": "Décalage aléatoire dans le temps",
    (
        "Moves every date by up to ± `hours`, uniformly; at the edges of the ISO week it is reflected.\n\n"
        "Places stay: whoever knows where a person lives finds them at any hour."
    ): (
        "Déplace chaque date de ± `hours` heures au plus, uniformément\u202f; aux bords de la semaine ISO, "
        "elle est réfléchie.\n\n"
        "Les lieux restent\u00a0: qui sait où une personne habite la retrouve à toute heure."
    ),
    "Random deletion": "Suppression au hasard",
    (
        "Deletes exactly round(share · kept rows) rows, drawn at random.\n\n"
        "Defeats counting rows; a person's places show in half of the rows as well as in all of them."
    ): (
        "Supprime exactement arrondi(share · lignes conservées) lignes, tirées au hasard.\n\n"
        "Déjoue le comptage des lignes\u202f; les lieux d’une personne se voient dans la moitié des lignes "
        "aussi bien que dans toutes."
    ),
    "Constant speed": "Vitesse constante",
    (
        "Moves each individual's rows of a day to equal steps along their path, so that stops vanish.\n\n"
        "The idea of Promesse with every row kept. A day spent in one place is not hidden: its path has no "
        "length;\n"
        "and where the first and the last row of a day lie still shows."
    ): (
        "Répartit les lignes d’une journée de chaque individu à pas égaux le long de son trajet, pour que "
        "les arrêts disparaissent.\n\n"
        "L’idée de Promesse, sans supprimer de ligne. Une journée passée au même endroit n’est pas "
        "cachée\u00a0: son trajet n’a pas de\n"
        "longueur\u202f; et l’on voit encore où se trouvent la première et la dernière ligne de la journée."
    ),
    # Tables: methods.
    (
        "Gives every identifier one random pseudonym; a separate lookup table inverts it.\n\n"
        "All other columns are unchanged: whoever knows a person's values finds the row, and then all its "
        "rows."
    ): (
        "Donne à chaque identifiant un pseudonyme aléatoire\u202f; un tableau d’association, gardé à part, "
        "permet de retrouver l’identifiant.\n\n"
        "Toutes les autres colonnes restent inchangées\u00a0: qui connaît les valeurs d’une personne "
        "trouve une de ses lignes, puis toutes ses lignes."
    ),
    "One column (unidimensional)": "Une colonne (unidimensionnel)",
    (
        "Cuts one column near its median, again and again; a leaf of at least k rows becomes an interval or "
        "set.\n\n"
        "Protects this column alone: together with other columns a person can still be unique."
    ): (
        "Coupe une colonne près de sa médiane, récursivement\u202f; une feuille d’au moins k lignes "
        "devient un intervalle ou un ensemble.\n\n"
        "Ne protège que cette colonne\u00a0: combinée à d’autres, elle peut encore rendre une personne "
        "unique."
    ),
    "Mondrian (multidimensional)": "Mondrian (multidimensionnel)",
    (
        "Cuts the table along one quasi-identifier after the other; each leaf of at least k rows looks "
        "alike.\n\n"
        "k-anonymity says nothing about the sensitive value: all k rows of a group may share it."
    ): (
        "Coupe le tableau selon un quasi-identifiant après l’autre\u202f; dans chaque feuille d’au moins k "
        "lignes, toutes deviennent semblables.\n\n"
        "Le k-anonymat ne dit rien de la donnée sensible\u00a0: les k lignes d’un groupe peuvent toutes "
        "avoir la même."
    ),
    "Bucketisation": "Bucketisation (mise en groupes)",
    (
        "Groups of at least k rows with l different sensitive values, none in more than 1/l of its group.\n\n"
        "The quasi-identifiers stay exact: that somebody is in the table, and in which group, is told to "
        "anyone."
    ): (
        "Des groupes d’au moins k lignes avec l valeurs sensibles différentes, dont aucune ne dépasse 1/l "
        "de son groupe.\n\n"
        "Les quasi-identifiants restent exacts\u00a0: chacun peut lire qu’une personne figure dans le "
        "tableau, et dans quel groupe."
    ),
    "Delete rare values": "Suppression des valeurs rares",
    (
        "Deletes rows with a value that fewer than k rows share, pass by pass until none is left.\n\n"
        "Gives every column support of k, not k-anonymity: combinations of frequent values can be unique."
    ): (
        "Supprime les lignes dont une valeur est partagée par moins de k lignes, passe après passe, "
        "jusqu’à ce qu’il n’y ait plus de valeur rare.\n\n"
        "Donne à chaque colonne un support de k, pas le k-anonymat\u00a0: des combinaisons de valeurs "
        "fréquentes peuvent être uniques."
    ),
    "Delete rare combinations": "Suppression des combinaisons rares",
    (
        "Keeps some columns and deletes the rows whose combination of values occurs fewer than k times.\n\n"
        "Publishing two such projections of one table can give the deleted rows away again: see differencing."
    ): (
        "Garde quelques colonnes et supprime les lignes dont la combinaison de valeurs apparaît moins de k "
        "fois.\n\n"
        "Publier deux de ces projections d’un même tableau peut trahir les lignes supprimées\u00a0: voir "
        "differencing."
    ),
    "Grow a projection": "Projection de proche en proche",
    (
        "Adds column after column, each time the one that loses the fewest further rows, within a budget.\n\n"
        "Then publishes that projection with rare combinations deleted. Several projections of one table can "
        "be\n"
        "subtracted from each other."
    ): (
        "Ajoute une colonne après l’autre, chaque fois celle qui occasionne le moins de nouvelles pertes, "
        "dans la limite d’un budget.\n\n"
        "Publie ensuite cette projection sans les combinaisons rares. Plusieurs projections d’un même "
        "tableau peuvent être\n"
        "soustraites l’une de l’autre."
    ),
    # Traces: methods.
    "Count and mask traces": "Dénombrement et masquage des traces",
    (
        "Publishes how many individuals left each trace; counts below the threshold are masked.\n\n"
        "A second table, with another prefix or without one, can be subtracted from it: see what both reveal. "
        "And a\n"
        "long trace is often one person's alone, whatever is masked about its count."
    ): (
        "Publie combien d’individus ont laissé chaque trace\u202f; les effectifs inférieurs au seuil sont "
        "masqués.\n\n"
        "On peut en soustraire un second tableau, avec un autre préfixe ou sans préfixe\u00a0: voir ce que "
        "les deux révèlent. Et une\n"
        "longue trace est souvent celle d’une seule personne, quoi que l’on masque de son effectif."
    ),
    # Mobility: attacks.
    "Equal number of rows": "Même nombre de lignes",
    "rows = rows′": "lignes = lignes′",
    (
        "Guesses the pseudonyms with exactly as many rows in the week as the person; none equal, no guess.\n\n"
        "Deleting a few rows of each person defeats it."
    ): (
        "Désigne les pseudonymes qui ont, dans la semaine, exactement autant de lignes que la "
        "personne\u202f; à défaut, aucun.\n\n"
        "Supprimer quelques lignes de chaque personne suffit à la déjouer."
    ),
    "Nearest mean position": "Position moyenne la plus proche",
    "haversine(mean, mean′)": "haversine(moyenne, moyenne′)",
    (
        "Guesses the pseudonym whose mean position in the week is nearest to the person's.\n\n"
        "Noise averages out over many rows, so independent noise hardly disturbs it."
    ): (
        "Désigne le pseudonyme dont la position moyenne dans la semaine est la plus proche de celle de la "
        "personne.\n\n"
        "Le bruit s’annule en moyenne sur de nombreuses lignes\u00a0: un bruit indépendant ne la gêne "
        "guère."
    ),
    "Nearest mean time of day": "Heure moyenne la plus proche",
    "|h̄ − h̄′| around the clock": "|h̄ − h̄′| sur le cadran de 24 heures",
    "Guesses the pseudonym whose circular mean time of day is nearest; an undefined mean gives no guess.": (
        "Désigne le pseudonyme dont l’heure moyenne (circulaire) est la plus proche\u202f; aucun si cette "
        "moyenne n’est pas définie."
    ),
    "Cells visited": "Cellules visitées",
    "|cells − cells′|, then haversine between the most visited cells": (
        "|cellules − cellules′|, puis haversine entre les cellules les plus visitées"
    ),
    "Guesses the pseudonym that visits as many cells, and whose most visited cell is nearest.": (
        "Désigne le pseudonyme qui visite autant de cellules et dont la cellule la plus visitée est la "
        "plus proche."
    ),
    "Same home, work, activity": "Mêmes lieux d’habitation, de travail et d’activité",
    "− number of equal top cells": "− nombre de cellules principales égales",
    "Guesses the pseudonyms that share most of the person's three main cells; none shared, no guess.": (
        "Désigne les pseudonymes qui partagent le plus des trois cellules principales de la "
        "personne\u202f; aucun s’ils n’en partagent pas."
    ),
    "Most similar heat map": "Carte de chaleur la plus ressemblante",
    "Topsøe: Σ p ln(2p/(p+q)) + q ln(2q/(p+q))": "Topsøe\u00a0: Σ p ln(2p/(p+q)) + q ln(2q/(p+q))",
    "Guesses the pseudonym whose heat map over cells diverges least from the person's.": (
        "Désigne le pseudonyme dont la carte de chaleur sur les cellules diverge le moins de celle de la "
        "personne."
    ),
    "One-to-one matching": "Couplage un à un",
    "min Σ Topsøe over matchings": "min Σ Topsøe sur les couplages",
    "Matches people and pseudonyms of a week one-to-one by their heat maps; the unmatched are DEL.": (
        "Associe un à un les personnes et les pseudonymes d’une semaine d’après leurs cartes de "
        "chaleur\u202f; qui reste seul est DEL."
    ),
    "Hashed ids": "Identifiants hachés",
    "token = id or a prefix of hash(id, week)": "pseudonyme = id ou préfixe de hash(id, semaine)",
    (
        "Guesses the pseudonyms that are the id itself or its plain hash, alone or joined with the week.\n\n"
        "Finds nothing when pseudonyms are random, and everybody when they are unsalted hashes."
    ): (
        "Désigne les pseudonymes qui sont l’identifiant lui-même ou son simple hachage, seul ou joint à la "
        "semaine.\n\n"
        "Ne trouve personne quand les pseudonymes sont aléatoires, et tout le monde quand ce sont des "
        "hachages sans sel."
    ),
    # Headlines: what stands for privacy and for utility.
    "1 − best attack": "1 − meilleure attaque",
    "1 − mean of the attacks": "1 − moyenne des attaques",
    "mean of the utility scores": "moyenne des scores d’utilité",
    "lowest utility score": "score d’utilité le plus bas",
    "median of the utility scores": "médiane des scores d’utilité",
    "highest utility score": "score d’utilité le plus haut",
    "1 − mean prosecutor risk": "1 − risque moyen du procureur",
    "1 − worst threat": "1 − pire menace",
    "1 − linkage success": "1 − réussite de l’appariement",
    "1 − share of unique rows": "1 − part des lignes uniques",
    "1 − information lost (NCP)": "1 − perte d’information (NCP)",
    "share of the rows kept": "part des lignes conservées",
    "1 − masked counts pinned": "1 − part des effectifs masqués dévoilés",
    "1 − people alone in their trace": "1 − part des personnes seules dans leur trace",
    "individuals counted exactly": "part des individus dénombrés exactement",
    "hidden rate": "taux de dissimulation",
    "1 − 2·|membership AUC − ½|": "1 − 2·|AUC d’appartenance − ½|",
    "resemblance": "ressemblance",
    # Parameters, by their names: texts.parameter_label looks here.
    "parameter:activity_days": "jours d’activité",
    "parameter:activity_hours": "heures d’activité",
    "parameter:candidates": "colonnes candidates",
    "parameter:choice": "choix de l’attribut",
    "parameter:columns": "colonnes",
    "parameter:components": "composantes",
    "parameter:days": "jours",
    "parameter:decimals": "décimales",
    "parameter:distance": "distance",
    "parameter:dx": "dx",
    "parameter:home_days": "jours de domicile",
    "parameter:home_hours": "heures de domicile",
    "parameter:hours": "heures",
    "parameter:impute": "valeurs manquantes",
    "parameter:include_self": "chacun parmi ses propres voisins",
    "parameter:item": "étape",
    "parameter:k": "k",
    "parameter:known": "colonnes connues",
    "parameter:l": "l",
    "parameter:mask": "seuil de masquage",
    "parameter:max_loss": "perte maximale",
    "parameter:order": "ordre",
    "parameter:per": "par",
    "parameter:prefix": "préfixe",
    "parameter:queries": "requêtes",
    "parameter:radius": "rayon",
    "parameter:rows_before": "lignes avant nettoyage",
    "parameter:scope": "portée",
    "parameter:seed": "graine",
    "parameter:several": "si plusieurs",
    "parameter:share": "part",
    "parameter:sigma": "écart-type σ",
    "parameter:space": "espace",
    "parameter:start": "colonnes de départ",
    "parameter:stop": "critère d’arrêt",
    "parameter:style": "forme du masque",
    "parameter:target": "colonne à prédire",
    "parameter:threshold": "seuil",
    "parameter:variance": "variance expliquée",
    "parameter:weights": "poids",
    "parameter:work_days": "jours de travail",
    "parameter:work_hours": "heures de travail",
    "parameter:column": "colonne",
    "parameter:number": "nombre",
    # Units of parameters.
    "columns": "colonnes",
    "days": "jours",
    "decimals": "décimales",
    "degrees": "degrés",
    "h": "h",
    "m": "m",
    "of the cells": "des cellules",
    "places": "lieux",
    "values": "valeurs",
    # Choices: texts.choice_label looks here.
    "choice:all": "toutes",
    "choice:auto": "automatique",
    "choice:both": "les deux",
    "choice:drop": "suppression",
    "choice:equal": "égale",
    "choice:exponential": "exponentiels",
    "choice:knn": "k plus proches voisins",
    "choice:last": "la dernière",
    "choice:less": "moins de",
    "choice:mean": "moyenne",
    "choice:one": "un",
    "choice:ordered": "ordonnée",
    "choice:pca": "ACP",
    "choice:random": "au hasard",
    "choice:source": "source",
    "choice:week": "semaine",
    "choice:widest": "le plus étendu",
    "choice:columns": "colonnes",
    "choice:individual": "individu",
    "choice:published": "publiés",
    "choice:row": "ligne",
}
