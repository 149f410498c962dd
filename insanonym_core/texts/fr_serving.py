"""The dashboard's server: while a page is made, when it cannot be let in, when its session has ended."""

FRENCH = {
    "Starting…": "Démarrage…",
    "Still starting. If this goes on, the window where it was started says why.": "Démarrage encore en cours. Si cela dure, la fenêtre de lancement dit pourquoi.",
    "Something went wrong while this page was made. The server's log says what: it stands in the window where the dashboard was started.": "Une erreur est survenue pendant la préparation de cette page. Le journal du serveur, dans la fenêtre de lancement, dit laquelle.",
    "This session has ended, and with it what it computed and the files it was given. Reload the page to begin a new one.": "Cette session est terminée, et avec elle ses calculs et les fichiers reçus. Recharger la page pour en commencer une autre.",
    "The dashboard does not answer: it was stopped, or the network is down. This page keeps trying.": "Le tableau de bord ne répond pas : il a été arrêté, ou le réseau est coupé. Cette page continue d’essayer.",
    "Reload": "Recharger",
    "The dashboard is at {address} (Ctrl-C stops it).": "Le tableau de bord est à {address} (Ctrl-C l’arrête).",
    "Everybody on this network who has that link can open it, and nothing is encrypted on its way. What they upload stays in this machine's memory and is gone when you stop the dashboard.": "Quiconque a ce lien sur ce réseau peut l’ouvrir, et rien n’est chiffré en chemin. Les fichiers importés restent dans la mémoire de cette machine et disparaissent à l’arrêt du tableau de bord.",
    "Every place is taken": "Toutes les places sont prises",
    "Sessions open: {count}, as many as this dashboard keeps at a time.": "Sessions ouvertes : {count}, autant que ce tableau de bord en garde à la fois.",
    "A place is free as soon as somebody closes the page, and a session that nobody has touched for {minutes} minutes makes room. This page tries again by itself.": "Une place se libère dès que quelqu’un ferme la page, et une session que personne n’a touchée depuis {minutes} minutes cède la sienne. Cette page réessaie toute seule.",
    "Please open the whole link": "Merci d’ouvrir le lien entier",
    "This dashboard is shared by a link with a token, and this address has not the right one.": "Ce tableau de bord se partage par un lien avec un jeton, et cette adresse n’a pas le bon.",
    "Ask whoever started the dashboard for the link: each start has a new one.": "Demander le lien à la personne qui a lancé le tableau de bord : chaque lancement en a un nouveau.",
    "There is nothing at this address": "Il n’y a rien à cette adresse",
    "The dashboard is at the address without a path.": "Le tableau de bord est à l’adresse sans chemin.",
    "This page could not be made": "Cette page n’a pas pu être préparée",
    "Welcome": "Bienvenue",
    "The dashboard opens.": "Le tableau de bord s’ouvre.",
}
