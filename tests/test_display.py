"""Whether a window can open is told in one sentence, without Qt."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_gui import display
from curator_gui.display import missing_display, missing_packages

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="probes Linux libraries")
X11 = {**display.GUI_LIBRARIES, **display.X11_LIBRARIES}
WAYLAND = {**display.GUI_LIBRARIES, **display.WAYLAND_LIBRARIES}
x11_present = pytest.mark.skipif(bool(missing_packages(X11)), reason="lacks Qt's libraries for X11")
wayland_present = pytest.mark.skipif(
    bool(missing_packages(WAYLAND)), reason="lacks Qt's libraries for Wayland"
)

BROUGHT_BY_THE_SYSTEM = re.compile(r"lib(c|m|stdc\+\+|gcc_s|pthread|dl|rt)\.so\.[0-9]+")


@pytest.fixture
def x_server() -> Iterator[str]:
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    command = [program, "-displayfd", str(write), "-screen", "0", "320x200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_macos_and_windows_always_have_a_display(platform: str) -> None:
    assert missing_display({}, platform) is None


def test_without_display_variables_the_machine_is_headless() -> None:
    sentence = missing_display({}, "linux")

    assert sentence is not None
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in sentence
    assert "curator-gui --help" in sentence


@linux_only
@x11_present
@pytest.mark.parametrize("asked", ["offscreen", "minimal", "vnc", "vnc:size=1024x768", "xcb;offscreen"])
def test_a_platform_that_needs_no_display_can_open(asked: str) -> None:
    assert missing_display({"QT_QPA_PLATFORM": asked}, "linux") is None


def test_asking_for_x11_without_display_is_named() -> None:
    assert "DISPLAY is not set" in str(missing_display({"QT_QPA_PLATFORM": "xcb"}, "linux"))


@linux_only
@x11_present
def test_a_display_where_nothing_answers_is_named() -> None:
    sentence = missing_display({"DISPLAY": ":7654"}, "linux")

    assert "nothing answers at DISPLAY=:7654" in str(sentence)


@linux_only
@x11_present
def test_an_x_server_that_answers_is_a_display(x_server: str) -> None:
    assert missing_display({"DISPLAY": x_server}, "linux") is None


@linux_only
@wayland_present
def test_a_wayland_socket_that_answers_is_a_display(tmp_path: Path) -> None:
    environ = {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(tmp_path)}

    before = missing_display(environ, "linux")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as compositor:
        compositor.bind(str(tmp_path / "wayland-9"))
        compositor.listen()
        after = missing_display(environ, "linux")

    assert "nothing answers at WAYLAND_DISPLAY=wayland-9" in str(before)
    assert after is None


@linux_only
@x11_present
def test_x11_is_enough_where_wayland_does_not_answer(x_server: str, tmp_path: Path) -> None:
    environ = {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": x_server}

    assert missing_display(environ, "linux") is None


@linux_only
def test_a_library_that_cannot_be_loaded_names_its_package_once() -> None:
    libraries = {"libnothing-a.so.0": "libnothing0", "libc.so.6": "libc6", "libnothing-b.so.0": "libnothing0"}

    assert missing_packages(libraries) == ("libnothing0",)


@linux_only
@x11_present
def test_missing_libraries_are_told_with_the_command_that_installs_them(
    x_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(display._LIBRARIES, "xcb", {"libnothing.so.0": "libnothing0"})

    sentence = missing_display({"DISPLAY": x_server}, "linux")

    assert "apt-get install libnothing0" in str(sentence)
    assert str(sentence).count(". ") == 0


@linux_only
def test_a_headless_machine_without_the_libraries_is_told_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "GUI_LIBRARIES", {"libnothing.so.0": "libnothing0"})

    sentence = str(missing_display({}, "linux"))

    assert "there is no display" in sentence
    assert "apt-get install libnothing0" in sentence


@linux_only
@pytest.mark.parametrize(
    ("binary", "known"),
    [
        ("lib/libQt6Core.so.6", display.GUI_LIBRARIES),
        ("lib/libQt6DBus.so.6", display.GUI_LIBRARIES),
        ("lib/libQt6Gui.so.6", display.GUI_LIBRARIES),
        ("lib/libQt6Widgets.so.6", display.GUI_LIBRARIES),
        ("plugins/platforms/libqxcb.so", X11),
        ("lib/libQt6XcbQpa.so.6", X11),
        ("plugins/platforms/libqwayland.so", WAYLAND),
    ],
)
def test_the_list_covers_what_the_installed_qt_needs(binary: str, known: dict[str, str]) -> None:
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.submodule_search_locations is None:
        pytest.skip("PySide6 is not installed")
    qt = Path(next(iter(spec.submodule_search_locations)), "Qt")

    needed = _needed(qt / binary)

    assert needed
    assert {n for n in needed if not _brought(n, qt)} <= set(known)


def _brought(library: str, qt: Path) -> bool:
    return bool(BROUGHT_BY_THE_SYSTEM.fullmatch(library)) or (qt / "lib" / library).exists()


def _needed(binary: Path) -> set[str]:
    """The sonames in the binary's string table; a superset of those that it needs."""
    return {m.decode() for m in re.findall(rb"\0(lib[\w+.-]+\.so\.[0-9]+)(?=\0)", binary.read_bytes())}


def test_the_probe_does_not_import_qt() -> None:
    code = (
        "import os, sys, curator_gui.display as d; d.missing_display(os.environ, sys.platform);"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
