"""In Chromium: a visitor is known by a cookie that neither the page nor its address shows."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from failure13.kept.cookie import COOKIE, FORM
from tests.browser.pages import settled


@pytest.fixture
def visited(page: Page, base_url: str) -> Page:
    page.goto(base_url)
    settled(page)
    return page


def visitor_cookie(context: BrowserContext):
    [cookie] = [cookie for cookie in context.cookies() if cookie["name"] == COOKIE]
    return cookie


def test_the_cookie_is_for_the_server_alone(visited: Page):
    cookie = visitor_cookie(visited.context)
    assert FORM.fullmatch(cookie["value"])
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
    assert COOKIE not in visited.evaluate("document.cookie")


def test_neither_the_page_nor_its_address_nor_its_storage_shows_the_id(visited: Page):
    shown = visited.content() + visited.url
    shown += visited.evaluate("JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])")
    assert visitor_cookie(visited.context)["value"] not in shown


def test_a_reload_keeps_the_id(visited: Page):
    before = visitor_cookie(visited.context)["value"]
    visited.reload()
    settled(visited)
    assert visitor_cookie(visited.context)["value"] == before


def test_another_browser_is_another_visitor(visited: Page, browser: Browser, base_url: str):
    elsewhere = browser.new_context()
    page = elsewhere.new_page()
    page.goto(base_url)
    settled(page)
    assert visitor_cookie(elsewhere)["value"] != visitor_cookie(visited.context)["value"]
    elsewhere.close()


def test_a_spoiled_cookie_is_replaced(visited: Page, base_url: str):
    visited.context.add_cookies([{"name": COOKIE, "value": "spoiled", "url": base_url}])
    visited.reload()
    settled(visited)
    assert FORM.fullmatch(visitor_cookie(visited.context)["value"])
