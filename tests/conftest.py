"""What every test shares. A longer search by hand: ``pytest --hypothesis-profile=thorough``."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A shell starts what runs in its background with Ctrl+C ignored, and every child inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")
