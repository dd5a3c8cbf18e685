"""Components narrower than what is known of where the cases lie: they are given no cases.

Points that stand for many cases know them to within some width h about x, h^2 = finest^2 (unit^2 + x^2). A
component much narrower than that could gather about one point and pretend that all its cases lie there. So
the density of a component whose width about its middle, sqrt(r / (m S)), is below h counts as zero. Where
`finest` is zero, as for cases that are known one by one, there is no such limit.

Steps for a component that has cases are refused where they would make it too narrow: each step draws from a
conditional of the model without the limit, so this is Metropolis-Hastings with that as the proposal.
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.density import derive

_HIDDEN = -1e290  # the log density of what is too narrow


@step
def too_narrow(constants, component):
    """Whether the component may have no cases; for one dimension."""
    if constants.finest == 0.0:
        return False
    m = component.m
    r = m - 1.0 if constants.shape_type == 1 else m
    mu = component.mu[0]
    unit = constants.finest_unit
    return r < constants.finest * constants.finest * (unit * unit + mu * mu) * m * component.S[0, 0]


@step
def hide_if_narrow(constants, component):
    """Set the density of a component that is too narrow to nothing."""
    if too_narrow(constants, component):
        component.level = _HIDDEN


@step
def derive_within(constants, component, table):
    """As `derive`, within the limit."""
    derive(component, constants.shape_type, table, constants.power)
    hide_if_narrow(constants, component)
