"""Which files may be given to a page: resolved before they are compared, hidden ones and links that lead out never."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from axstream.errors import ActionDenied, TargetAmbiguous, UsageError
from axstream.policy import Policy, Uploads
from axstream.policy import uploads as module


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files to give beside files that are nobody's business."""
    for name in ("give/a.pdf", "give/b.txt", "give/deep/c.pdf", "give/.key", "give/.git/d.pdf", "private/secret.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "give" / "out.txt").symlink_to(tmp_path / "private" / "secret.txt")
    (tmp_path / "give" / "in.txt").symlink_to(tmp_path / "give" / "b.txt")
    (tmp_path / "give" / "away").symlink_to(tmp_path / "private")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def found(uploads: Uploads, name: str) -> str | None:
    try:
        return uploads.find(name, folders=False)
    except ActionDenied:
        return None


def test_none_may_be_given_by_default(home: Path) -> None:
    uploads = Uploads(Policy().uploads)
    assert uploads.listed(folders=False).names == ()
    with pytest.raises(
        ActionDenied, match=r'"give/a.pdf" may not be uploaded, and nothing was chosen; the policy names'
    ):
        uploads.find("give/a.pdf", folders=False)
    with pytest.raises(ActionDenied, match="names no folder"):
        uploads.find("give", folders=True)


def test_a_text_in_the_place_of_a_tuple_is_refused() -> None:
    with pytest.raises(UsageError, match="one text"):
        Policy(uploads="a.pdf")  # type: ignore[arg-type]


def test_a_file_is_found_by_its_name_and_by_every_path_that_leads_to_it(home: Path) -> None:
    uploads = Uploads(("give/a.pdf",))
    assert uploads.listed(folders=False).names == ("a.pdf",)
    wanted = str(home / "give" / "a.pdf")
    for name in ("a.pdf", "give/a.pdf", "./give/../give/a.pdf", wanted, "private/../give/a.pdf"):
        assert found(uploads, name) == wanted, name
    for name in ("b.txt", "give/b.txt", "give", "", "a.pdf\0", "nowhere/a.pd", "round", "give/a.pdf/x"):
        assert found(uploads, name) is None, name


def test_what_is_refused_names_what_may_be_given_and_not_whether_it_exists(home: Path) -> None:
    uploads = Uploads(("give",))
    lines = []
    for name in ("private/secret.txt", "private/nothing.txt"):
        with pytest.raises(ActionDenied) as refused:
            uploads.find(name, folders=False)
        lines.append(str(refused.value).replace(name, "X"))
    assert lines[0] == lines[1]
    assert '"a.pdf", "b.txt", "deep/c.pdf"' in lines[0]


def test_a_folder_gives_what_lies_in_it_but_no_hidden_file_and_no_link_that_leads_out(home: Path) -> None:
    uploads = Uploads(("give",))
    assert uploads.listed(folders=False).names == ("a.pdf", "b.txt", "deep/c.pdf")
    assert found(uploads, "deep/c.pdf") == found(uploads, "c.pdf") == str(home / "give/deep/c.pdf")
    assert found(uploads, "give/in.txt") == str(home / "give/b.txt")
    for name in (
        "out.txt",
        "give/out.txt",
        "away/secret.txt",
        "../private/secret.txt",
        ".key",
        "give/.key",
        ".git/d.pdf",
    ):
        assert found(uploads, name) is None, name


def test_a_link_that_is_named_itself_gives_what_it_leads_to(home: Path) -> None:
    assert found(Uploads(("give/out.txt",)), "secret.txt") == str(home / "private/secret.txt")


def test_globs_name_files_part_by_part(home: Path) -> None:
    assert Uploads(("give/*.pdf",)).listed(folders=False).names == ("a.pdf",)
    assert Uploads(("give/**/*.pdf",)).listed(folders=False).names == ("a.pdf", "deep/c.pdf")
    assert Uploads(("give/**",)).listed(folders=False).names == ("a.pdf", "b.txt", "deep/c.pdf")
    assert found(Uploads(("give/.k*",)), "give/.key") == str(home / "give/.key")
    assert found(Uploads(("give/*.txt",)), "give/out.txt") is None
    assert found(Uploads(("give/*",)), "give/deep/c.pdf") is None
    assert found(Uploads(("give/*.pdf",)), "private/secret.txt") is None
    assert found(Uploads(("nowhere/*.pdf", "give/a.pdf/*")), "a.pdf") is None


def test_a_name_that_several_files_have_is_ambiguous_until_the_path_is_typed(home: Path) -> None:
    (home / "private" / "a.pdf").write_text("other")
    uploads = Uploads(("give/a.pdf", "private/a.pdf"))
    assert uploads.listed(folders=False).names == (str(home / "give/a.pdf"), str(home / "private/a.pdf"))
    with pytest.raises(TargetAmbiguous, match="means several"):
        uploads.find("a.pdf", folders=False)
    assert found(uploads, "private/a.pdf") == str(home / "private/a.pdf")


def test_entries_are_those_of_the_folder_in_which_the_run_began(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads(("give/a.pdf",))
    monkeypatch.chdir(home / "private")
    assert found(uploads, "a.pdf") == str(home / "give/a.pdf")


def test_a_file_that_comes_later_is_found_where_it_was_named(home: Path) -> None:
    uploads = Uploads(("give/later.csv",))
    assert found(uploads, "later.csv") is None
    (home / "give" / "later.csv").write_text("x")
    assert found(uploads, "later.csv") == str(home / "give/later.csv")


def test_more_than_a_list_holds_is_counted_and_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = home / "many"
    many.mkdir()
    for number in range(40):
        (many / f"{number:02}.txt").write_text("x")
    listed = Uploads(("many",)).listed(folders=False)
    assert (len(listed.names), listed.more) == (module.LISTED, 40 - module.LISTED)
    with pytest.raises(ActionDenied, match="and 32 more"):
        Uploads(("many",)).find("x", folders=False)
    monkeypatch.setattr(module, "SEEN_FILES", 10)
    (many / "inner").mkdir()
    (many / "inner" / "z.txt").write_text("x")
    uploads = Uploads(("many",))
    assert "inner/z.txt" not in uploads.listed(folders=False).names
    assert found(uploads, "inner/z.txt") == str(many / "inner" / "z.txt")
    with pytest.raises(ActionDenied, match="more than 10 files"):
        uploads.find("many", folders=True)


def test_a_folder_is_given_whole_or_not_at_all(home: Path) -> None:
    uploads = Uploads(("give", "give/a.pdf", "give/*"))
    assert uploads.listed(folders=True).names == ("give",)
    assert uploads.find("give/deep", folders=True) == str(home / "give/deep")
    with pytest.raises(ActionDenied, match=r'"give" holds "(away|\.git)", hidden or a link that leads out'):
        uploads.find("give", folders=True)
    for name in ("private", "give/a.pdf", "give/.git", "give/away"):
        with pytest.raises(ActionDenied, match="may not be uploaded"):
            uploads.find(name, folders=True)


def test_a_pipe_is_no_file_to_give(home: Path) -> None:
    os.mkfifo(home / "give" / "pipe")
    assert found(Uploads(("give",)), "pipe") is None
    assert "pipe" not in Uploads(("give",)).listed(folders=False).names
