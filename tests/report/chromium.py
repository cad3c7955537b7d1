"""A headless Chromium driven over its own pipe (DevTools protocol), with nothing but the standard library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--remote-debugging-pipe",
]  # fmt: skip

# The protocol wants commands on descriptor 3 and answers on 4; then this process becomes the browser.
WIRE = """
import fcntl, os, sys
low, high = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(low, 3)
os.dup2(high, 4)
os.execv(sys.argv[3], [*sys.argv[3:], "about:blank"])
"""


def binary() -> str:
    """The browser's path; skips the test where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no Chromium here: none of {', '.join(names)} is on the PATH")
    return found


class Tab:
    """One page in its own browser. `errors` collects what the console or a failed script complains about."""

    def __init__(self, profile: Path) -> None:
        down, ours = os.pipe()
        theirs, up = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", WIRE, str(down), str(up), binary(), *FLAGS, f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(down, up),
        )
        os.close(down)
        os.close(up)
        self._out, self._in = ours, theirs
        os.set_blocking(self._in, False)
        self._held = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command and its answer; events that arrive meanwhile are noted."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for said in self._read():
                if said.get("id") == self._number:
                    assert "error" not in said, said
                    return said["result"]
                self._note(said)
            time.sleep(0.002)
        raise AssertionError(f"{method}: no answer within {PATIENCE} s")

    def _read(self) -> list[dict[str, Any]]:
        try:
            self._held += os.read(self._in, 1 << 20)
        except BlockingIOError:
            return []
        *whole, self._held = self._held.split(b"\0")
        return [json.loads(part) for part in whole]

    def _note(self, said: dict[str, Any]) -> None:
        method, given = said.get("method"), said.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(given["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
            self.errors.append(json.dumps(given["args"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.errors.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def size(self, width: int, height: int = 800) -> None:
        """The window's size in CSS pixels; narrow ones are phones."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def before(self, script: str) -> None:
        """Run a script before anything of the next pages."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, address: str) -> float:
        """Go there and wait until the questions are listed; returns the seconds it took."""
        started = time.monotonic()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.until("document.documentElement?.dataset.ready === 'yes'")
        return time.monotonic() - started

    def get(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.get(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.02)

    def key(self, name: str, text: str = "") -> None:
        """Press and release a key, as a keyboard would."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "PageDown": 34, "End": 35, "Home": 36}
        codes |= {"ArrowUp": 38, "ArrowDown": 40, "/": 191}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                code=name,
                text=text if kind == "keyDown" else "",
                windowsVirtualKeyCode=codes.get(name, 0),
            )

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.call("Input.insertText", text=text)

    def pick(self, select: str, value: str) -> None:
        """Choose an option of a select by its value, as a user's choice."""
        where, what = json.dumps(select), json.dumps(value)
        self.get(f"document.querySelector({where}).value = {what}")
        said = "new Event('input', { bubbles: true })"
        assert self.get(f"document.querySelector({where}).dispatchEvent({said})")

    def close(self) -> None:
        """End this browser."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
