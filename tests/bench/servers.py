"""Servers to measure: the explorer, and a bare page that only echoes its field, both with this project's settings."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import urllib3
from urllib3.util import Retry

ROOT = Path(__file__).parents[2]
ECHO = 'import streamlit as st\nst.text(st.text_input("do amount", "200.0", live="80ms"))\n'
TICKS = os.sysconf("SC_CLK_TCK")


class Served(NamedTuple):
    """A page that is served: its name in the table, its port and the process that serves it."""

    name: str
    port: int
    process: subprocess.Popen

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def cpu(self) -> float:
        """The seconds of CPU that the server has used; read from /proc, and so on Linux alone."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def served(name: str, script: Path, folder: Path) -> Iterator[Served]:
    """A script on a server of its own, with a file of its own to keep things in, for as long as it is needed."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", "--server.address=127.0.0.1"],
        cwd=ROOT,
        env={**os.environ, "FAILURE13_STORE": str(folder / f"{name}.sqlite3")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield Served(name, port, process)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def echo_and_explorer(folder: Path) -> Iterator[tuple[Served, Served]]:
    """Both pages, each on a server of its own."""
    script = folder / "echo.py"
    script.write_text(ECHO, "utf-8")
    with served("echo", script, folder) as echo, served("explorer", ROOT / "app.py", folder) as explorer:
        yield echo, explorer


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    answering = Retry(total=240, backoff_factor=0.05, backoff_max=0.5)
    urllib3.PoolManager(retries=answering).request("GET", url)
