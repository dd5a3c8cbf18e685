"""Fixtures of this folder."""

import pytest
from survival import fake_posterior


@pytest.fixture
def quick(monkeypatch):
    """Estimators whose sampler is `fake_posterior`."""
    fake_posterior.take_the_place(monkeypatch)
