"""Titles: normal forms and ranks (T4, Z4, Z5)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axstream.ax.quote import visible
from axstream.ax.titles import (
    NEGATING_PREFIXES,
    NEGATIONS,
    TitleRank,
    Wanted,
    forms,
    is_negated,
    nearest_titles,
    needles,
    normalise,
    rank_title,
)
from tests.ax.trees import HOSTILE

SAME, EQUAL, START, INSIDE, CLOSE = TitleRank
NO = None


@pytest.mark.parametrize(
    ("title", "normal"),
    [
        ("Save", "save"),
        ("  Save \t As  ", "save as"),
        ("Save As…", "save as"),
        ("Save As ...", "save as"),
        ("Name *:", "name"),
        ("Name：", "name"),
        ("…", "..."),
        (":", ":"),
        ("", ""),
        ("\u200b", ""),
        ("So\u00adft", "soft"),
        ("İptal", "iptal"),
        ("Straße", "strasse"),
        ("&File", "file"),
        ("Save &As", "save as"),
        ("E&xit", "exit"),
        ("R&D", "r&d"),
        ("A & B", "a & b"),
        ("Find && Replace", "find & replace"),
        ("One &Two &Three", "one &two &three"),
        ("保存(&S)", "保存"),
        ("保存(_S)...", "保存"),
        ("保存 (S)", "保存"),
        ("저장(S)", "저장"),
        ("Save (S)", "save (s)"),
        ("(&S)", "(s)"),
        ("_File", "file"),
        ("Save _As…", "save as"),
        ("_layouts", "_layouts"),
        ("my_file.txt", "my_file.txt"),
        ("_Config.yml", "_config.yml"),
        ("__init__", "__init__"),
        ("src/_Main", "src/_main"),
        ("Don’t", "don't"),
        ("don`t", "don't"),
        ("a–b", "a-b"),
        ("\ue8b6 Search", "search"),
        ("x\ufe0f", "x"),
    ],
)
def test_normal_form(title: str, normal: str) -> None:
    assert normalise(title) == normal


@pytest.mark.parametrize(
    ("wanted", "actual", "rank"),
    [
        ("Save", "Save", SAME),
        ("save", "Save", EQUAL),
        ("&File", "File", EQUAL),
        ("r&d", "R&D", EQUAL),
        ("e&xit", "E&xit", EQUAL),
        ("rd", "R&D", NO),
        ("r&d", "Rd", NO),
        ("Save", "&Save As", START),
        ("Save", "✓ Save now", START),
        ("Save", "Now save", INSIDE),
        ("report", "report.pdf", START),
        ("OK", "Book", NO),
        ("add", "padding", NO),
        ("add", "addition", NO),
        ("send", "re-send", NO),
        ("re", "re-send", NO),
        ("don", "don't go", NO),
        ("t go", "don't go", NO),
        ("file", "my_file.txt", NO),
        ("50", "item -50", NO),
        ("50", "1.50", NO),
        ("1", "1.50", NO),
        ("12", "12, 13", START),
        ("12", "12,5", NO),
        ("12", "x.12", INSIDE),
        ("one", "one.", START),
        ("one", "one-", START),
        ("one", "-one", START),
        ("dots", "..dots", START),
        ("a", "Book a flight", NO),
        ("+", "C++", NO),
        ("+", "+", SAME),
        ("×", "x × y", NO),
        ("the end", "then the end", INSIDE),
        ("then", "thenthen then", INSIDE),
        ("保存", "保存して閉じる", START),
        ("保存", "ファイルを保存", INSIDE),
        ("保", "保存", NO),
        ("बिना", "बिना नाम", START),
        ("नह", "नहीं", NO),
        ("ที", "ที่นี่", NO),
        ("Settings", "Setings", CLOSE),
        ("Favourites", "Favorites", CLOSE),
        ("login", "log in", CLOSE),
        ("e-mail", "email", CLOSE),
        ("cancel", "cancle", NO),
        ("send message", "sent message", NO),
        ("import settings", "export settings", NO),
        ("increase font size", "decrease font size", NO),
        ("save all files", "save all of files", NO),
        ("disappear slowly here", "disapear slowly here", CLOSE),
        ("inactive accounts", "inactve accounts", CLOSE),
        ("version 10 notes", "version 11 notes", NO),
        ("covid19 numbers", "covid18 numbers", NO),
        ("route 66a", "route66a", NO),
        ("subscribe now please", "unsubscribe now please", NO),
        ("never mind that", "nevver mind that", NO),
        ("すべてのファイルを今すぐ保存する", "すべてのファイルを今すぐ保存すた", NO),
        ("변경한 내용을 저장하시겠습니까", "변경한 내용을 저장하시겠읍니까", NO),
        ("Volume of speaker +", "Volume of speaker -", NO),
        ("Compile C++ files", "Compile C files", NO),
        ("Quit the (app)", "Quit the app", CLOSE),
        ("Save", "", NO),
        ("Save", "\u200b", NO),
        ("Thanks", "No, thanks", NO),
        ("No", "No, thanks", START),
        ("Close", "Close without saving", NO),
        ("Enregistrer", "N'enregistrer rien", NO),
        ("保存", "別名で保存", INSIDE),
        ("登録", "無料で登録", INSIDE),
        ("저장", "저장 안 함", NO),
    ],
)
def test_rank(wanted: str, actual: str, rank: TitleRank | None) -> None:
    assert rank_title(wanted, actual) == rank


#: A verb alone, and negated, as screens say it.
NEGATED = [
    ("Save", "Don't Save"),
    ("Save", "Don’t save"),
    ("Save", "Do not save"),
    ("Save", "Never save"),
    ("Speichern", "Nicht speichern"),
    ("Opslaan", "Niet opslaan"),
    ("Enregistrer", "Ne pas enregistrer"),
    ("Guardar", "No guardar"),
    ("Salvar", "Não salvar"),
    ("Salva", "Non salvare"),
    ("Salva", "Nu salva"),
    ("Spara", "Spara inte"),
    ("Gem", "Gem ikke"),
    ("Tallenna", "Älä tallenna"),
    ("Zapisuj", "Nie zapisuj"),
    ("Сохранять", "Не сохранять"),
    ("Зберігати", "Не зберігати"),
    ("Αποθήκευση", "Χωρίς αποθήκευση"),
    ("Mentés", "Mentés nélkül"),
    ("Lưu", "Không lưu"),
    ("Simpan", "Jangan simpan"),
    ("שמור", "אל שמור"),
    ("حفظ", "عدم حفظ"),
    ("保存", "不保存"),
    ("保存", "保存しない"),
    ("儲存", "不要儲存"),
    ("บันทึก", "ไม่บันทึก"),
    ("저장", "저장 안 함"),
]


@pytest.mark.parametrize(("positive", "negative"), NEGATED)
def test_a_negation_never_matches_its_positive_either_way(positive: str, negative: str) -> None:
    assert rank_title(positive, negative) is None
    assert rank_title(negative, positive) is None
    assert is_negated(normalise(negative))
    assert not is_negated(normalise(positive))


@pytest.mark.parametrize("prefix", NEGATING_PREFIXES)
def test_edit_distance_never_bridges_a_negating_prefix(prefix: str) -> None:
    positive = "available for everybody in this house"
    assert rank_title(positive, prefix + positive) is None
    assert rank_title(prefix + positive, positive) is None


def test_negations_are_in_normal_form() -> None:
    assert all(normalise(word) == word for word in NEGATIONS)


def test_without_close_edit_distance_is_left_out_and_ranks_are_remembered() -> None:
    wanted = Wanted("Settings")
    assert wanted.rank("Setings", close=False) is None
    assert wanted.rank("Setings") is CLOSE
    assert wanted.rank("Setings", close=False) is None


def test_a_long_text_holds_a_title_whatever_else_it_negates() -> None:
    assert Wanted("Bob Hill").holds("No phone for Bob Hill")
    assert not Wanted("Bob Hill").holds("Bob Hilly")


def test_nearest_titles_are_suggestions_best_first() -> None:
    assert nearest_titles("Sav", ["Quit", "Save", "Save all"])[0] == 1
    assert nearest_titles("Sav", ["zzzzzzz"]) == []


def test_long_texts_are_not_kept() -> None:
    assert forms("x " * 1000) == ("x " * 999 + "x",)


@given(HOSTILE)
def test_what_is_shown_of_a_title_finds_it(title: str) -> None:
    assert normalise(visible(title)) == normalise(title)
    assert rank_title(visible(title), title) in (SAME, EQUAL) or not normalise(title)


@given(st.text(alphabet="aAbB &_.:*…-'( )S保", max_size=12), st.text(alphabet="aAbB &_.:*…-'( )S保", max_size=12))
@settings(max_examples=300)
def test_ranks_do_not_raise_and_equal_forms_are_equal(one: str, other: str) -> None:
    rank = rank_title(one, other)
    if one == other:
        assert rank is SAME
    elif set(forms(one)) == set(forms(other)) and normalise(one):
        assert rank is EQUAL


@given(HOSTILE, HOSTILE)
def test_ranking_is_the_same_every_time(one: str, other: str) -> None:
    assert rank_title(one, other) == Wanted(one).rank(other)


def test_needles_are_the_words_of_a_title_in_each_of_its_forms() -> None:
    """Z27: what a backend looks for; a title that is all punctuation is looked for as it stands."""
    assert needles("Save as…") == (("save", "as"),)
    assert needles("→") == (("→",),)
    assert needles("...") == (("...",),)
    assert all(words for words in needles("don't save"))
