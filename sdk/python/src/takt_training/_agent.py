"""Speaks to the local endpoint of takt-agent. docs/agent.md says what it answers."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Optional
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from http.client import HTTPConnection

URL = "TAKT_AGENT_URL"
TOKEN = "TAKT_AGENT_TOKEN"

# The agent answers within a millisecond. Only the thread that sends waits for it.
WITHIN_SECONDS = 5.0
# More than this is no answer of an agent.
MOST_BYTES = 64 << 10


class Refused(Exception):
    """The agent has understood, and says what is wrong. To send the same again would not help."""


class Agent:
    """The agent of this pod. It is for one thread."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self._host, self._port, self._token = host, port, token
        self._connection: Optional[HTTPConnection] = None

    def progress(self, done: float, total: Optional[float], unit: str) -> None:
        body: Dict[str, Any] = {"step": done, "unit": unit}
        if total is not None:
            body["total"] = total
        self._ask("POST", "/v1/progress", body)

    def saved(self, request: int) -> None:
        self._ask("POST", "/v1/checkpoint", {"request": request} if request else {})

    def save_wanted(self) -> int:
        """The number of the request for a checkpoint that should be heeded, or 0."""
        return int(self._ask("GET", "/v1/save", None).get("save", 0))

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _ask(self, method: str, path: str, body: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        try:
            status, text = self._send(method, path, body)
        except Exception:
            self.close()
            raise
        if 400 <= status < 500:
            raise Refused(text.decode(errors="replace").strip())
        if status != 200:
            raise OSError(f"the agent has answered {status}")
        answer = json.loads(text)
        return answer if isinstance(answer, dict) else {}

    def _send(self, method: str, path: str, body: Optional[Dict[str, Any]]) -> tuple[int, bytes]:
        # A script that reports nothing does not pay for this import. It uses no proxy, whatever the environment says.
        from http.client import HTTPConnection

        if self._connection is None:
            self._connection = HTTPConnection(self._host, self._port, timeout=WITHIN_SECONDS)
        headers = {"Authorization": "Bearer " + self._token, "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, text, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read(MOST_BYTES)


def find() -> Optional[Agent]:
    """The agent that the environment names, if it names one."""
    url, token = os.environ.get(URL, ""), os.environ.get(TOKEN, "")
    if not url or not token:
        return None
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname or not parts.port:
        return None
    return Agent(parts.hostname, parts.port, token)
