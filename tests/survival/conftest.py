"""Fixtures of this folder."""

import fake_posterior
import pytest


@pytest.fixture
def quick(monkeypatch):
    """Estimators whose sampler is `fake_posterior`."""
    fake_posterior.take_the_place(monkeypatch)
