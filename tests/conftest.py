import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# What tests do on the page is kept for the tests alone.
os.environ["FAILURE13_STORE"] = str(Path(tempfile.mkdtemp(prefix="failure13-")) / "visitors.sqlite3")

settings.register_profile("failure13", deadline=None)
settings.load_profile("failure13")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright leaves an event loop running, in which asyncio.run() cannot run."""
    items.sort(key=lambda item: "browser" in item.path.parts)
