"""Tables, study traces and avatars in the dashboard: choosing methods, columns and rows."""

FRENCH = {
    "{count} rows with a missing value were dropped and count as lost.": "{count} lignes avec une valeur manquante ont été supprimées et comptent comme perdues.",
    "Method": "Méthode",
    "automatic": "automatique",
    "None ticked: all of them.": "Aucune cochée\u00a0: toutes.",
    "Move {step} earlier": "Avancer «\u00a0{step}\u00a0»",
    "Move {step} later": "Reculer «\u00a0{step}\u00a0»",
    "Remove {step}": "Retirer «\u00a0{step}\u00a0»",
    "Row of the release": "Ligne publiée",
    "Row of the original": "Ligne d’origine",
    "Row {row} of {rows}.": "Ligne {row} sur {rows}.",
    "Row {row} of the {rows} rows of the release: {size} rows look alike.": (
        "Ligne {row} des {rows} lignes publiées\u00a0: {size} lignes se ressemblent."
    ),
    "Row {row} of the {rows} rows of the release: no other row looks like it.": (
        "Ligne {row} des {rows} lignes publiées\u00a0: aucune autre ne lui ressemble."
    ),
    "Row {row} of the {rows} rows of the release: {size} rows share these sensitive values: {values}.": (
        "Ligne {row} des {rows} lignes publiées\u00a0: {size} lignes partagent ces valeurs sensibles\u00a0: {values}."
    ),
}
