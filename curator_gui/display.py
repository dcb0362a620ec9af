"""Whether a window can open, told before Qt is imported: Qt ends the process where it cannot.

The libraries are those that Qt's core, its GUI module and its X11 and Wayland plugins name and do not
bring along (read from their dynamic sections, PySide6-Essentials 6.11); the packages are Debian's.
"""

from __future__ import annotations

import ctypes
import socket
from collections.abc import Mapping
from pathlib import Path

GUI_LIBRARIES: Mapping[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
"""What importing Qt's widgets needs: each library with the Debian package that holds it."""

X11_LIBRARIES: Mapping[str, str] = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""What opening a window on an X display needs besides."""

WAYLAND_LIBRARIES: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
"""What opening a window on a Wayland display needs besides."""

_LIBRARIES = {"xcb": X11_LIBRARIES, "wayland": WAYLAND_LIBRARIES}
_WAY_OUT = "run it in a desktop session, or work without a window (“curator-gui --help” lists the commands)"


def missing_display(environ: Mapping[str, str], platform: str) -> str | None:
    """None where a window can open, else one sentence that says why not and what to do.

    environ: the process's environment; platform: ``sys.platform``. Linux and other X11 systems are probed:
    the libraries are loaded and the display is connected to, as Qt would do. macOS and Windows always pass.
    """
    if platform in ("darwin", "win32"):
        return None
    choices = _platform_plugins(environ)
    if not choices:
        return _sentence("neither DISPLAY nor WAYLAND_DISPLAY is set", missing_packages(GUI_LIBRARIES))
    problems = [_problem(plugin, environ) for plugin in choices]
    return None if None in problems else problems[0]


def missing_packages(libraries: Mapping[str, str]) -> tuple[str, ...]:
    """The Debian packages of the ``libraries`` that cannot be loaded here, each once, in order."""
    return tuple(dict.fromkeys(package for name, package in libraries.items() if not _loads(name)))


def _platform_plugins(environ: Mapping[str, str]) -> list[str]:
    """The plugins that Qt would try, in its order; none where nothing tells it of a display."""
    asked = [choice.partition(":")[0] for choice in environ.get("QT_QPA_PLATFORM", "").split(";")]
    if any(asked):
        return ["wayland" if name.startswith("wayland") else name for name in asked if name]
    variables = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return [plugin for plugin, variable in variables.items() if environ.get(variable)]


def _problem(plugin: str, environ: Mapping[str, str]) -> str | None:
    packages = missing_packages({**GUI_LIBRARIES, **_LIBRARIES.get(plugin, {})})
    unreachable = None
    if plugin == "xcb":
        unreachable = _unreachable_x11(environ.get("DISPLAY", ""))
    elif plugin == "wayland":
        unreachable = _unreachable_wayland(environ)
    return _sentence(unreachable, packages) if unreachable or packages else None


def _sentence(unreachable: str | None, packages: tuple[str, ...]) -> str:
    install = f"install the packages it needs (Debian: apt-get install {' '.join(packages)})"
    if unreachable is None:
        return f"The window cannot open because system libraries are missing; {install}."
    also = f", and {install}" if packages else ""
    return f"The window cannot open because there is no display: {unreachable}; {_WAY_OUT}{also}."


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _unreachable_x11(display: str) -> str | None:
    """Why the X server does not let us in; connected through libxcb itself, authorization and all."""
    if not display:
        return "DISPLAY is not set"
    if not _loads("libxcb.so.1"):
        return None
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return f"nothing answers at DISPLAY={display}, or it refuses this user" if refused else None


def _unreachable_wayland(environ: Mapping[str, str]) -> str | None:
    name = environ.get("WAYLAND_DISPLAY") or "wayland-0"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(Path(environ.get("XDG_RUNTIME_DIR", "/"), name)))
        except OSError:
            return f"nothing answers at WAYLAND_DISPLAY={name}"
    return None
