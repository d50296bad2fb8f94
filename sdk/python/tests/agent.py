"""The real takt-agent around a script, for the tests."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import IO, Any, Callable, Dict, List, Optional

SDK = Path(__file__).resolve().parent.parent
# Reached only where a test fails.
PATIENCE = float(os.environ.get("TAKT_PATIENCE", "600"))

_built: List[str] = []


def binary() -> str:
    """The program that the tree builds, or the one that TAKT_AGENT names."""
    if not _built:
        path = os.environ.get("TAKT_AGENT")
        if not path:
            path = os.path.join(tempfile.mkdtemp(prefix="takt-agent-"), "takt-agent")
            subprocess.run(["go", "build", "-o", path, "./cmd/takt-agent"], cwd=SDK.parent.parent, check=True)
        _built.append(os.path.abspath(path))
    return _built[0]


def environment(**more: str) -> Dict[str, str]:
    """The environment of a script, in which no launcher has set anything."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "KUBEFLOW_")) and not k.endswith("RANK")}
    path = os.pathsep.join([str(SDK / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**ours, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **more}


def until(what: str, holds: Callable[[], bool]) -> None:
    """Looks again and again until something holds."""
    limit = time.monotonic() + PATIENCE
    tick = threading.Event()
    while not holds():
        if time.monotonic() > limit:
            raise AssertionError("it never comes to this: " + what)
        tick.wait(0.02)


class Lines:
    """What a process writes, as it comes."""

    def __init__(self, source: IO[str]) -> None:
        self.text = ""
        self._thread = threading.Thread(target=self._read, args=(source,), daemon=True)
        self._thread.start()

    def _read(self, source: IO[str]) -> None:
        for line in source:
            self.text += line

    def all(self) -> str:
        self._thread.join(PATIENCE)
        return self.text


class Wrapped:
    """A script that runs in the hands of the agent."""

    def __init__(self, test: unittest.TestCase, script: str, *args: str, shell: str = "", **env: str) -> None:
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._annotations: Dict[str, str] = {}
        self.annotate()
        (self.folder / "train.py").write_text(script)
        command = [sys.executable, str(self.folder / "train.py"), *args]
        if shell:
            command = ["sh", "-c", shell, "sh", *command]
        flags = ["--port=0", "--annotations-file=" + str(self.folder / "annotations")]
        self.process = subprocess.Popen(
            [binary(), "exec", *flags, "--", *command], text=True, cwd=self.folder, env=environment(**env),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._in = self.process.stdin
        self.out, self.err = Lines(self.process.stdout), Lines(self.process.stderr)
        test.addCleanup(self._end)
        self._address = ""

    def _end(self) -> None:
        self._in.close()
        self.process.terminate()  # so that it takes its files with it
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for lines, pipe in ((self.out, self.process.stdout), (self.err, self.process.stderr)):
            lines.all()
            if pipe:
                pipe.close()

    def annotate(self, **more: str) -> None:
        """Writes the annotations of the pod as the kubelet does, all at once."""
        self._annotations.update(more)
        text = "".join(f'takt.dev/{key.replace("_", "-")}="{value}"\n' for key, value in self._annotations.items())
        (self.folder / "new").write_text(text)
        (self.folder / "new").replace(self.folder / "annotations")

    def tell(self, line: str = "") -> None:
        self._in.write(line + "\n")
        self._in.flush()

    def hears(self, line: str) -> None:
        until(f"it prints {line!r}", lambda: line + "\n" in self.out.text or self._ended(line))

    def _ended(self, line: str) -> bool:
        if self.process.poll() is not None and line + "\n" not in self.out.all():
            raise AssertionError(f"it has ended without {line!r}: {self.out.text!r}, {self.err.all()!r}")
        return False

    def hears_from_log(self, sentence: str) -> None:
        until(f"it says {sentence!r}", lambda: sentence in self.err.text)

    def exits(self, want: int = 0) -> None:
        got = self.process.wait(PATIENCE)
        if got != want:
            raise AssertionError(f"it exits with {got}, not {want}: {self.out.all()!r}, {self.err.all()!r}")

    def metrics(self) -> Dict[str, float]:
        """What the agent serves, without those that are absent."""
        if not self._address:
            until("it says where its metrics are", lambda: "serves its metrics at" in self.err.text)
            port = re.findall(r"serves its metrics at .*:(\d+)", self.err.text)[0]
            self._address = f"http://127.0.0.1:{port}/metrics"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self._address, timeout=PATIENCE) as answer:
            text = answer.read().decode()
        samples = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in samples}

    def shows(self, name: str, value: Optional[float] = None) -> float:
        """Waits until a metric has a value, or any."""
        last: Dict[str, Any] = {}

        def look() -> bool:
            last.clear()
            last.update(self.metrics())
            return name in last and value in (None, last[name])

        try:
            until(f"{name} is {value}", look)
        except (AssertionError, OSError) as e:
            raise AssertionError(f"{e}; {last}; {self.out.text!r}; {self.err.text!r}") from e
        return float(last[name])


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def need(test: unittest.TestCase, *names: str) -> None:
    """Skips a test for which a library is missing, and says so."""
    missing = ", ".join(name for name in names if not installed(name))
    if missing:
        print(f"SKIPPED, NOT PASSED: {test.id()} needs {missing}", file=sys.stderr)
        test.skipTest(f"{missing} is not installed")
