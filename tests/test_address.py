"""The address that a link begins with is one that others reach."""

from types import SimpleNamespace

import pytest

from failure13.page import address


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """What the page was asked for with; a test adds headers."""
    monkeypatch.delenv("FAILURE13_URL", raising=False)
    context = SimpleNamespace(url="http://localhost:8501/?s=2.abc", headers={})
    monkeypatch.setattr(address.st, "context", context)
    return context


def test_without_more_it_is_the_pages_own():
    assert address.of_the_page() == "http://localhost:8501/"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ({"X-Forwarded-Host": "room.example", "X-Forwarded-Proto": "https"}, "https://room.example/"),
        ({"X-Forwarded-Host": "room.example"}, "http://room.example/"),
        ({"X-Forwarded-Host": "a.example, b.example", "X-Forwarded-Proto": "https, http"}, "https://a.example/"),
    ],
)
def test_behind_a_proxy_it_is_what_the_proxy_was_asked_for(asked, headers, found):
    asked.headers = headers
    assert address.of_the_page() == found


@pytest.mark.parametrize("named", ["https://room.example/f13", "https://room.example/f13/"])
def test_what_is_named_comes_before_all_else(asked, monkeypatch, named):
    asked.headers = {"X-Forwarded-Host": "other.example"}
    monkeypatch.setenv("FAILURE13_URL", named)
    assert address.of_the_page() == "https://room.example/f13/"
