"""A model with scripted answers: a real HTTP server that speaks OpenAI's protocol.

    with ScriptedModel() as model:
        model.answers("Hello!", fails(500), cut("Hello ag"))
        ...                       # code under test calls model.url three times
        assert model.requests[0].body["messages"][-1]["content"] == "Hi"

Chat completions (streamed or not) and responses take one answer each from the queue that `answers`
fills, and then `always`, by default an echo. An answer is a text, one of the values below, or a
function of the request's body that returns one. Embeddings have a separate queue.
"""

import hashlib
import json
import re
import socket
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from threading import Condition, Thread
from time import sleep
from types import TracebackType
from typing import Any, Literal, Self

Body = dict[str, Any]
Headers = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A scripted answer. `cut` and `stalled` stop after the text, `endless` repeats it.

    A stream pauses for `pace` seconds after each word, and calls `halfway` in the middle.
    """

    text: str = ""
    thinking: str = ""
    tool_calls: Sequence[Mapping[str, str]] = ()
    """Each with an `id`, a `name` and `arguments`."""
    finish: str = "stop"
    delay: float = 0.0
    pace: float = 0.0
    halfway: Callable[[], object] | None = None
    reports_usage: bool = True
    tokens_cached: int | None = None
    """Reported as read from the cache."""
    ending: Literal["whole", "cut", "stalled", "endless"] = "whole"
    repeated: Mapping[str, Any] | None = None
    """A delta that an endless answer repeats instead of its text."""

    @property
    def usage(self) -> tuple[int, int]:
        """Made-up numbers of tokens read and written."""
        return 1000, len(self.text)


@dataclass(frozen=True, kw_only=True)
class Failure:
    status: int
    message: str
    code: str | None = None
    headers: Headers = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Raw:
    """Raw bytes with status 200."""

    content: bytes
    content_type: str = "application/json"


Plain = str | Answer | Failure | Raw
Scripted = Plain | Callable[[Body], Plain]
Vectors = list[list[float]]
Embedded = Vectors | Answer | Failure | Raw


def fails(
    status: int,
    message: str = "It failed.",
    *,
    code: str | None = None,
    retry_after: str | None = None,
) -> Failure:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return Failure(status=status, message=message, code=code, headers=headers)


def garbage(text: str = "<html>Bad gateway</html>", content_type: str = "application/json") -> Raw:
    return Raw(content=text.encode(), content_type=content_type)


def cut(text: str = "") -> Answer:
    """Drop the connection after the text."""
    return Answer(text=text, ending="cut")


def stalls(text: str = "") -> Answer:
    """Keep the connection open after the text, but send nothing."""
    return Answer(text=text, ending="stalled")


def endless(text: str = "on and ") -> Answer:
    """Repeat the text until the caller disconnects."""
    return Answer(text=text, ending="endless")


def endless_arguments(size: int = 1_000) -> Answer:
    """Start a tool call whose arguments never end."""
    part = {"index": 0, "id": "c", "function": {"name": "search", "arguments": "x" * size}}
    return Answer(ending="endless", repeated={"tool_calls": [part]})


def endless_silence() -> Answer:
    """Send empty deltas until the caller disconnects."""
    return Answer(ending="endless", repeated={})


def echo(body: Body) -> str:
    """Return the last message, or the input."""
    return str(body["input"] if "input" in body else body["messages"][-1]["content"])


@dataclass(frozen=True, kw_only=True)
class Request:
    path: str
    body: Body
    headers: Headers


class ScriptedModel:
    """A server; `url` is the base URL for clients."""

    def __init__(self, *, dimensions: int = 8) -> None:
        self.requests: list[Request] = []
        self.hangups = 0
        """The number of callers that disconnected during an answer."""
        self.always: Scripted = echo
        self.dimensions = dimensions
        self._answers: deque[Scripted] = deque()
        self._vectors: deque[Embedded] = deque()
        self._changed = Condition()
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def answers(self, *answers: Scripted) -> None:
        self._answers.extend(answers)

    def embeds(self, *vectors: Embedded) -> None:
        """Queue vectors; by default, a vector is derived from the hash of each text."""
        self._vectors.extend(vectors)

    def reset(self) -> None:
        """Clear requests and queued answers, for a model that tests share."""
        self.requests.clear()
        self._answers.clear()

    def wait_for_requests(self, number: int) -> None:
        self._wait_until(lambda: len(self.requests) >= number)

    def wait_for_hangup(self) -> None:
        self._wait_until(lambda: self.hangups > 0)

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()

    def _wait_until(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, timeout=20), "timed out"

    def _record(self, request: Request) -> None:
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def _record_hangup(self) -> None:
        with self._changed:
            self.hangups += 1
            self._changed.notify_all()

    def _answer(self, body: Body) -> Answer | Failure | Raw:
        answer = self._answers.popleft() if self._answers else self.always
        plain = answer(body) if callable(answer) else answer
        return Answer(text=plain) if isinstance(plain, str) else plain

    def _embedding(self, texts: Sequence[str]) -> Embedded:
        return self._vectors.popleft() if self._vectors else [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        noise = hashlib.shake_256(text.encode()).digest(self.dimensions)
        return [byte / 128 - 1 for byte in noise]


class _Server(ThreadingHTTPServer):
    request_queue_size = 512  # for hundreds of concurrent calls

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model
        self._connections: set[socket.socket] = set()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close all connections, so that their threads end and can be joined."""
        for connection in list(self._connections):
            connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a second write waits for an ACK
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: tests read `requests`."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._send_json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        else:
            self._fail(fails(404, "There is no such path."))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.model._record(Request(path=self.path, body=body, headers=headers))
        try:
            self._answer(body)
        except (BrokenPipeError, ConnectionResetError):
            self._hung_up()

    def _answer(self, body: Body) -> None:
        match self.path:
            case "/v1/chat/completions" | "/v1/responses":
                answer: Answer | Embedded = self.server.model._answer(body)
            case "/v1/embeddings":
                answer = self.server.model._embedding(body["input"])
            case _:
                answer = fails(404, "There is no such path.")
        match answer:
            case Failure():
                self._fail(answer)
            case Raw():
                self._send(answer)
            case Answer() if body.get("stream"):
                self._stream(answer, body)
            case Answer():
                self._complete(answer)
            case vectors:
                data = [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]
                self._send_json({"data": data, "usage": {"prompt_tokens": 10 * len(data)}})

    def _fail(self, failure: Failure) -> None:
        error = {"message": failure.message, "type": "scripted", "code": failure.code}
        self._send_json({"error": error}, status=failure.status, headers=failure.headers)

    def _complete(self, answer: Answer) -> None:
        sleep(answer.delay)
        if answer.ending != "whole":
            self._break_off(answer)
        elif self.path == "/v1/responses":
            self._send_json(_response(answer))
        else:
            self._send_json(_completion(answer))

    def _stream(self, answer: Answer, body: Body) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        sleep(answer.delay)
        for delta in _deltas(answer):
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if answer.ending != "whole":
            return self._break_off(answer)
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]})
        if answer.reports_usage and "stream_options" in body:
            self._event({"choices": [], "usage": _usage(answer)})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _break_off(self, answer: Answer) -> None:
        if answer.ending == "cut":
            self.close_connection = True
        elif not self.connection.recv(1):
            self._hung_up()

    def _hung_up(self) -> None:
        self.close_connection = True
        self.server.model._record_hangup()

    def _event(self, event: Body) -> None:
        self._chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _send_json(self, body: Body, status: int = 200, headers: Headers | None = None) -> None:
        self._send(Raw(content=json.dumps(body).encode()), status, headers)

    def _send(self, raw: Raw, status: int = 200, headers: Headers | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", raw.content_type)
        self.send_header("content-length", str(len(raw.content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw.content)


def _deltas(answer: Answer) -> Iterator[Body]:
    words = re.findall(r"\S+\s*|\s+", answer.text)
    yield {"role": "assistant", "content": ""}
    if answer.thinking:
        yield {"reasoning_content": answer.thinking}
    while answer.repeated is not None:
        yield dict(answer.repeated)
        sleep(answer.pace)
    for number, word in enumerate(cycle(words) if answer.ending == "endless" else words):
        if answer.halfway and number == len(words) // 2:
            answer.halfway()
        yield {"content": word}
        if answer.pace:
            sleep(answer.pace)
    for index, call in enumerate(answer.tool_calls):
        arguments = call["arguments"]
        half = len(arguments) // 2
        begun = {"name": call["name"], "arguments": arguments[:half]}
        yield {"tool_calls": [{"index": index, "id": call["id"], "function": begun}]}
        yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]}


def _completion(answer: Answer) -> Body:
    calls = [
        {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in answer.tool_calls
    ]
    message = {"role": "assistant", "content": answer.text, "tool_calls": calls or None}
    if answer.thinking:
        message["reasoning_content"] = answer.thinking
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    return {"choices": [choice], "usage": _usage(answer) if answer.reports_usage else None}


def _response(answer: Answer) -> Body:
    content = [{"type": "output_text", "text": answer.text, "annotations": []}]
    thinking = [{"type": "summary_text", "text": answer.thinking}]
    read, written = answer.usage
    return {
        "model": "hosted-model",
        "status": "completed" if answer.finish == "stop" else "incomplete",
        "incomplete_details": {
            "stop": None,
            "length": {"reason": "max_output_tokens"},
        }.get(answer.finish, {"reason": answer.finish}),
        "output": [
            {"type": "reasoning", "summary": thinking if answer.thinking else []},
            {"type": "message", "role": "assistant", "content": content},
        ],
        "usage": {
            "input_tokens": read,
            "output_tokens": written,
            **_cache_details("input_tokens_details", answer),
        },
    }


def _usage(answer: Answer) -> Body:
    read, written = answer.usage
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        **_cache_details("prompt_tokens_details", answer),
    }


def _cache_details(name: str, answer: Answer) -> Body:
    cached = answer.tokens_cached
    return {} if cached is None else {name: {"cached_tokens": cached}}
