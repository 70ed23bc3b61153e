"""What every unit test lives under."""

import pytest
from hypothesis import settings

# No deadline per example: on a busy machine it would measure the neighbours. The same examples on every run.
settings.register_profile("unit", deadline=None, derandomize=True, max_examples=60, database=None)
settings.load_profile("unit")


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test sees or touches the state and the cache of whoever runs it."""
    for name in ("TANDEM_HOME", "TANDEM_CACHE", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path_factory.getbasetemp() / "home"))
