"""Columns that are not published, and roles that are guesses."""

FRENCH = {
    "Not published: {columns}.": "Non publié\u00a0: {columns}.",
    "Roles guessed from names and values, to be checked: {roles}.": (
        "Rôles devinés d’après les noms et les valeurs, à vérifier\u00a0: {roles}."
    ),
    "quasi-identifiers": "quasi-identifiants",
    "sensitive columns": "colonnes sensibles",
    "identifier, as guessed": "identifiant, deviné",
    "dropped on request": "retirée sur demande",
    "nearly every row has a different text": "presque chaque ligne a un texte différent",
    "nearly every row has a different number or code": (
        "presque chaque ligne a un numéro ou un code différent"
    ),
    "nearly every value belongs to one individual": "presque chaque valeur appartient à un seul individu",
    "{what}, by the name of the column": "{what}, d’après le nom de la colonne",
    "{what}, by the values": "{what}, d’après les valeurs",
    "names of people": "noms de personnes",
    "e-mail addresses": "adresses électroniques",
    "telephone numbers": "numéros de téléphone",
    "postal addresses": "adresses postales",
    "social security numbers": "numéros de sécurité sociale",
    "bank accounts or cards": "comptes ou cartes bancaires",
    "numbers of documents or vehicles": "numéros de documents ou de véhicules",
    "addresses or accounts on the internet": "adresses ou comptes sur Internet",
    "numbers or codes of people": "numéros ou codes de personnes",
    "no column is published with its own values": "aucune colonne n’est publiée avec ses propres valeurs",
}
