"""A server on loopback that speaks OpenAI's streamed chat completions, and misbehaves as told. No assertions here.

with FakeOpenAI() as server:
    server.answer(delta("hello"), finish("stop"), DONE)
    ... open_model("openai:tiny", base_url=server.url) ...
    assert server.requests[0].body["model"] == "tiny"

Each request for a completion takes the next answer. An answer is steps: bytes are sent as they are, in one write;
``HANG`` waits until the client goes away (and sets ``client_left``), ``DROP`` resets the connection. After the last
step the response ends as HTTP wants it. It runs in threads, so that a program under test may be a process of its own.
"""

from __future__ import annotations

import io
import json
import socket
import struct
import threading
from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Trouble(Enum):
    HANG = "say nothing more until the client goes away"
    DROP = "reset the connection"
    CUT = "close the connection with the body unfinished"


HANG, DROP, CUT = Trouble.HANG, Trouble.DROP, Trouble.CUT
Step = bytes | Trouble
LIMIT_S = 20.0
"""What a test waits at most for something that a working program does at once."""


def event(data: object) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


def chunk(delta: dict[str, Any] | None, *, finish_reason: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return event(
        {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice], **more}
    )


def delta(text: str | None = None, **fields: Any) -> bytes:
    return chunk({"content": text, **fields})


def finish(reason: str) -> bytes:
    return chunk({}, finish_reason=reason)


def usage(prompt: int, completion: int) -> bytes:
    counted = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return event(
        {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [], "usage": counted}
    )


DONE = b"data: [DONE]\n\n"
ROLE = chunk({"role": "assistant", "content": None})


def whole_answer(text: str) -> tuple[Step, ...]:
    """A well-behaved answer, a character or two a chunk."""
    pieces = [text[i : i + 2] for i in range(0, len(text), 2)]
    return (ROLE, *(delta(piece) for piece in pieces), finish("stop"), usage(100, len(pieces)), DONE)


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class _Answer:
    steps: tuple[Step, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class FakeOpenAI:
    """``url`` is the base URL. ``client_left`` is set when a client closed a connection in the middle of its answer."""

    def __init__(self, *, models: tuple[str, ...] = ("tiny", "tiny-instruct", "large")) -> None:
        self.models: tuple[str, ...] | None = models
        self.requests: list[Request] = []
        self.client_left = threading.Event()
        self.answer_sent = threading.Event()
        self._answers: deque[_Answer] = deque()
        self._stopping = threading.Event()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def answer(self, *steps: Step) -> None:
        self._answers.append(_Answer(steps))

    def refuse(self, status: int, body: object, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        text = body if isinstance(body, str) else json.dumps(body)
        self._answers.append(_Answer((text.encode(),), status, named))

    def hang_without_headers(self) -> None:
        self._answers.append(_Answer((HANG,), status=0))

    def __enter__(self) -> FakeOpenAI:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(LIMIT_S)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeOpenAI
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/v1/models" and self.fake.models is not None:
            self._whole(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.fake.models]})
        else:
            self._whole(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.fake.requests.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        if self.path != "/v1/chat/completions":
            self._whole(404, {"error": {"message": "no such path"}})
            return
        if not self.fake._answers:
            self._whole(500, {"error": {"message": "the test gave no answer for this request"}})
            return
        answer = self.fake._answers.popleft()
        if answer.status == 0:
            self._trouble(HANG)
        elif answer.status != 200:
            self._whole(
                answer.status, b"".join(step for step in answer.steps if isinstance(step, bytes)), answer.headers
            )
        else:
            self._stream(answer.steps)

    def _whole(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, steps: tuple[Step, ...]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            for step in steps:
                if isinstance(step, Trouble):
                    self._trouble(step)
                    return
                self.wfile.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
            self.fake.answer_sent.set()
        except OSError:
            self.close_connection = True
            self.fake.client_left.set()

    def _trouble(self, trouble: Trouble) -> None:
        self.close_connection = True
        if trouble is HANG:
            self.connection.settimeout(0.05)
            while not self.fake._stopping.is_set():
                try:
                    if not self.connection.recv(1):
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
            else:
                return
            self.fake.client_left.set()
        elif trouble is DROP:
            # linger 0: closing sends RST, as a crashed server's kernel does
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.rfile.close()
            self.wfile.close()
            self.connection.close()
            self.wfile = io.BytesIO()  # what the base class flushes in the end
