"""Whatever the agent is up to, the training goes on."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, List

from agent import PATIENCE, environment

# A training that does all that the helper offers, and says whether another thread was started.
TRAINING = """
import threading, takt_training as takt
for step in range(5000):
    takt.progress(step + 1, 5000)
    if takt.save_wanted() or step % 1000 == 0:
        takt.saved()
print("trained", threading.active_count(), flush=True)
"""


def run(script: str = TRAINING, *flags: str, stderr: Any = subprocess.PIPE, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *flags, "-c", script], env=environment(**env), timeout=PATIENCE, text=True,
                          stdout=subprocess.PIPE, stderr=stderr)


def nobody_listens() -> str:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{s.getsockname()[1]}"


class Harmless(unittest.TestCase):
    def trains(self, done: "subprocess.CompletedProcess[str]", threads: int) -> None:
        self.assertEqual((done.returncode, done.stdout), (0, f"trained {threads}\n"), done.stderr)

    def test_without_an_agent_nothing_happens(self) -> None:
        for env in ({}, {"TAKT_AGENT_URL": "http://127.0.0.1:1"}, {"TAKT_AGENT_TOKEN": "x"},
                    {"TAKT_AGENT_URL": "", "TAKT_AGENT_TOKEN": ""}):
            with self.subTest(env=env):
                done = run(TRAINING, "-W", "error", **env)
                self.trains(done, threads=1)
                self.assertEqual(done.stderr, "")

    def test_an_address_that_is_none(self) -> None:
        for url in ("nonsense", "http://127.0.0.1", "http://127.0.0.1:x", "ftp://127.0.0.1:7", "http://[::1", "http://a:99999"):
            with self.subTest(url=url):
                self.trains(run(TAKT_AGENT_URL=url, TAKT_AGENT_TOKEN="x"), threads=1)

    def test_an_agent_that_is_gone(self) -> None:
        done = run(TAKT_AGENT_URL=nobody_listens(), TAKT_AGENT_TOKEN="x")
        self.trains(done, threads=2)
        self.assertIn("The agent is not heard", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_log_that_cannot_be_written(self) -> None:
        with open("/dev/full", "w") as full:
            self.trains(run(stderr=full, TAKT_AGENT_URL=nobody_listens(), TAKT_AGENT_TOKEN="x"), threads=2)

    def test_an_agent_that_does_not_answer(self) -> None:
        """The training comes to its end while the agent holds its first request, and does not wait for an answer."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(PATIENCE)
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            held: List[socket.socket] = []
            accept = threading.Thread(target=lambda: held.append(server.accept()[0]))
            accept.start()
            done = run(TAKT_AGENT_URL=url, TAKT_AGENT_TOKEN="x")
            accept.join()
            for connection in held:
                connection.close()
        self.trains(done, threads=2)

    def test_an_agent_that_answers_anything(self) -> None:
        for status, answer in ((500, b""), (200, b""), (200, b"[]"), (200, b'{"save": "soon"}'), (401, b"\xff"), (302, b"x")):
            with self.subTest(status=status, answer=answer), Server(status, answer) as server:
                self.trains(run(TAKT_AGENT_URL=server.url, TAKT_AGENT_TOKEN="x"), threads=2)

    def test_many_calls_are_few_requests(self) -> None:
        with Server(200, b"{}") as server:
            began = time.monotonic()
            self.trains(run(TRAINING.replace("5000", "100000"), TAKT_AGENT_URL=server.url, TAKT_AGENT_TOKEN="x"), threads=2)
            # Each second three at most: progress, a checkpoint, and whether one is wanted; and once more at the end.
            self.assertLessEqual(server.requests, 3 * (time.monotonic() - began + 2))


class Server:
    """Answers each request with the same."""

    def __init__(self, status: int, answer: bytes) -> None:
        self.requests = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests += 1
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Server":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


if __name__ == "__main__":
    unittest.main()
