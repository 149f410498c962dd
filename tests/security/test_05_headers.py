"""Issue 17, number 5: which columns look like direct identifiers, by header, by values, by individual."""

import pandas as pd
import pytest

from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.roles import Roles, guess_roles, not_published
from insanonym_core.tabular.table import Table
from tests.security.hospital import NUMBERS, PERSONS, TEXTS, hidden, visits

NAMES = [
    "lname",
    "fname",
    "first",
    "last",
    "nompatient",
    "NOMPATIENT",
    "nom_marital",
    "nom_epouse",
    "nom_conjoint",
    "nom_etu",
    "nom_ind",
    "nom_pers",
    "nom_medecin_traitant",
    "displayName",
    "display_name",
    "spouse_name",
    "guardian_name",
    "emergency_contact_name",
    "mothers_maiden_name",
    "nickname",
    "surnom",
    "pseudo",
    "alias",
    "user",
    "utilisateur",
    "patient",
    "client",
    "employee",
    "contact",
    "identite",
    "nom",
    "prénom",
    "nom_usuel",
    "username",
    "PatientName",
    "nomClient",
    "prenom_etudiant",
    "nom_xyz",
    "nomNaissance",
    "conducteur",
    "holder_name",
]
OTHERS = [
    "iban",
    "rib",
    "bank_account",
    "carte_bancaire",
    "plaque",
    "immatriculation",
    "license_plate",
    "passport",
    "passeport",
    "cni",
    "url",
    "profile_url",
    "mac",
    "twitter",
    "voie",
    "domicile",
    "mail",
    "tél",
    "portable",
    "NIR",
    "adresse",
    "rue",
    "street",
    "n°_sécu",
    "ip",
    "badge_id",
    "numtel",
    "imei",
    "num_permis",
    "num_ss",
    "tel_domicile",
    "email_pro",
]
NUMBERED = [
    "ipp",
    "nip",
    "mrn",
    "dossier",
    "no_dossier",
    "num_etudiant",
    "patient",
    "NIR",
    "patientid",
    "idpatient",
    "matricule",
    "ref_client",
    "INE",
    "num_contrat",
    "medical_record_number",
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", [*NAMES, *OTHERS])
def test_a_person_with_several_rows_is_not_named(name, known):
    """With the identifier named, and in a table without any."""
    identifier = "key" if known else None
    table = visits(name, TEXTS, identifier)
    assert name in hidden(table, identifier=identifier)
    assert not {"age", "town"} & hidden(table, identifier=identifier)
    guess = guess_roles(table)
    assert name not in {*guess.quasi, *guess.sensitive}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_of_people_are_hidden(name, known):
    identifier = "key" if known else None
    assert name in hidden(visits(name, NUMBERS, identifier), identifier=identifier)
    unique = Table.from_frame(pd.DataFrame({name: NUMBERS, "age": [30, 40] * (PERSONS // 2)}))
    assert hidden(unique) == {name}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("mobile", ["often", "never", "sometimes"]),
        ("rue", ["calme", "bruyante"]),
        ("contact", ["by letter", "by mail"]),
        ("user", ["new", "old"]),
        ("client", ["gold", "silver", "none"]),
        ("alias", ["A", "B"]),
        ("phone_type", ["landline", "mobile"]),
        ("phone_brand", ["A", "B", "C"]),
        ("tel_operator", ["A", "B", "C"]),
        ("street_type", ["avenue", "rue"]),
        ("type_rue", ["avenue", "rue"]),
        ("address_type", ["home", "work"]),
        ("email_domain", ["example.org", "example.com"]),
        ("email_opt_in", ["weekly", "never"]),
        ("mail_frequency", ["daily", "never"]),
        ("patient_type", ["in", "out"]),
        ("nom_ville", [f"ville {n}" for n in range(40)]),
        ("nom_commune", [f"commune {n}" for n in range(40)]),
        ("name_of_town", [f"town {n}" for n in range(40)]),
        ("country_name", [f"country {n}" for n in range(40)]),
        ("product_name", [f"product {n}" for n in range(40)]),
        ("region_id", list(range(1, 14))),
        ("year_id", [2021, 2022, 2023]),
        ("code_insee", [f"{n:05}" for n in range(69001, 69041)]),
        ("prenom_count", [1, 2, 3]),
        ("nombre", [1, 2, 3]),
        ("number_of_patients", list(range(50))),
        ("patients", list(range(50))),
        ("hotel", ["Bellevue", "du Parc"]),
        ("mailbox_count", [1, 2, 3]),
        ("siren", [f"{n} 829 320" for n in range(732, 772)]),
        ("isbn", [f"978-2-07-0360{n}-5" for n in range(10, 50)]),
        ("seen_at", [str(1_700_000_000 + 86_400 * n) for n in range(40)]),
    ],
)
def test_what_names_nobody_is_published_and_counts_nobody(name, values):
    table = visits(name, [values[n % len(values)] for n in range(PERSONS)], None)
    assert name not in hidden(table)
    assert guess_roles(table).identifier is None
    named = visits(name, [values[n % len(values)] for n in range(PERSONS)], "key")
    assert hidden(named, identifier="key") == {"key"}


def test_each_reason_names_what_was_found():
    reasons = {
        "ip": ([f"192.168.1.{n}" for n in range(PERSONS)], "addresses or accounts on the internet"),
        "source": ([f"10.0.0.{n}" for n in range(PERSONS)], "addresses or accounts on the internet"),
        "x": ([f"FR76 3000 6000 0112 3456 7890 {n:03}" for n in range(PERSONS)], "bank accounts or cards"),
        "plaque": (TEXTS, "numbers of documents or vehicles"),
        "passport": ([10_000_000 + n for n in range(PERSONS)], "numbers of documents or vehicles"),
        "patient": (TEXTS, "names of people"),
    }
    for name, (values, reason) in reasons.items():
        assert direct_identifiers(visits(name, values, None))[name].startswith(reason), name


@pytest.mark.parametrize("header", ["key", "patient_id"])
def test_values_are_counted_for_each_individual(header):
    """A header that says nothing: as many texts as people; the second header is found without being named."""
    roles = {"identifier": "key"} if header == "key" else {}
    assert "zz" in hidden(visits("zz", TEXTS, header), **roles)
    assert "zz" not in hidden(visits("zz", [f"group {n % 60}" for n in range(PERSONS)], header), **roles)
    reason = dict(not_published(visits("zz", TEXTS, header), Roles(**roles)))["zz"]
    assert reason == "nearly every value belongs to one individual"
    spellings = visits("zz", TEXTS, header)
    frame = spellings.frame()
    frame.loc[:2, "zz"] = ["typing error 1", "typing error 2", None]
    assert "zz" in hidden(Table.from_frame(frame), **roles)


@pytest.mark.parametrize(
    ("name", "values", "direct"),
    [
        ("zz", NUMBERS, True),
        ("zz", [n // 2 for n in NUMBERS], False),
        ("zz", [n + 0.5 for n in NUMBERS], False),
        ("income", NUMBERS, False),
        ("revenu_annuel", NUMBERS, False),
        ("weight", NUMBERS, False),
    ],
)
def test_whole_numbers_are_hidden_only_if_each_person_has_one_of_its_own(name, values, direct):
    assert (name in hidden(visits(name, values, "key"), identifier="key")) == direct


def test_numbers_and_dates_of_single_rows_stay():
    frame = pd.DataFrame({"key": TEXTS, "zz": NUMBERS, "seen": pd.date_range("2024-01-01", periods=PERSONS)})
    assert hidden(Table.from_frame(frame), identifier="key") == {"key"}


def test_ten_people_with_three_rows_each():
    """Few values, and still one for each person."""
    frame = pd.DataFrame(
        {"key": [f"k{n}" for n in range(10)] * 3, "pseudo": TEXTS[:10] * 3, "rue": ["calme", "bruyante"] * 15}
    )
    assert hidden(Table.from_frame(frame), identifier="key") == {"key", "pseudo"}


@pytest.mark.parametrize(
    ("name", "values", "direct"),
    [
        ("NOM_USUEL", ["Martin", "Petit"] * 10, True),
        ("Prénom", ["Zoé", "Léa"] * 10, True),
        ("lastName", ["Martin", "Petit"] * 10, True),
        ("contact e-mail", ["a", "b"] * 10, True),
        ("Tél. portable", ["0601020304", "0601020305"] * 10, True),
        ("phone", [33601020304, 33601020305] * 10, True),
        ("adresse", ["1 rue Haute", "2 rue Haute"] * 10, True),
        ("num_secu", ["1850578006084", "2850578006084"] * 10, True),
        ("CODE_INDIVIDU", [1, 2] * 10, True),
        ("patient_id", [1, 2] * 10, True),
        ("visit_id", list(range(20)), True),
        ("x1", [f"a{n}@b.org" for n in range(3)] * 10, True),
        ("x2", [f"06 12 34 56 {n}0" for n in range(3)] * 10, True),
        ("x3", [185057800608491 + n for n in range(3)] * 10, True),
        ("comment", [f"text {n}" for n in range(20)], True),
        ("comment", [f"text {n}" for n in range(5)], False),
        ("age", list(range(20)), False),
        ("weight", [70 + n / 7 for n in range(20)], False),
        ("nom_commune", ["Lyon", "Dijon"] * 10, False),
        ("diploma_name", ["BSc", "MSc"] * 10, False),
        ("has_email", ["yes", "no"] * 10, False),
        ("phone", [True, False] * 10, False),
        ("nb_telephones", [0, 1, 2, 3] * 5, False),
        ("town_id", [1, 2] * 10, False),
        ("code_postal", ["01000", "69001"] * 10, False),
        ("seen", list(pd.date_range("2024-01-01", periods=20)), False),
    ],
)
def test_what_looks_like_a_direct_identifier(name, values, direct):
    table = Table.from_frame(
        pd.DataFrame({name: values, "other": [1, 2] * (len(values) // 2) + [1] * (len(values) % 2)})
    )
    assert [column for column, _ in not_published(table, Roles())] == ([name] if direct else [])
    assert not_published(table, Roles(publish=(name,))) == ()
