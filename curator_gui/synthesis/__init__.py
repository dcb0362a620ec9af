"""Differentially private synthetic tables, customized to the queries their user cares about.

In short: declare a domain, encode the table, ask what the budget allows, then measure, fit and draw::

    domain = read_dictionary({"sex": 2, "age": {"edges": [0, 18, 65, 120]}})
    request = SynthesisRequest(domain.names, domain.sizes, rho_units(rho_of(1.0, 1e-9)),
                               interest=(("sex", "age"),))
    expected_errors(request)                                 # before anything is spent
    made = synthesize(request, domain.encode(table), OpenDPNoise(), progress)
    domain.decode(made.codes, numpy.random.default_rng())    # a table of text

A request is checked when it is made and raises InputError; ``synthesize`` spends at most ``request.rho``,
which the caller has had charged to the ledger, and raises Cancelled when ``progress`` does. Nothing that is
spent comes back.

From the bottom: accounting (zCDP), noise (OpenDP), domain and dictionary (codes and text), junction_tree,
beliefs and sampling (exact models), interactions, lbfgs and estimator (fitting them), request, schedules and
mechanisms (what is measured), stages (what is told meanwhile), quality and experiment (how good it is, for
public data).
"""

from curator_gui.core.zcdp import epsilon_of, rho_of
from curator_gui.synthesis.accounting import rho_units
from curator_gui.synthesis.dictionary import propose, read_dictionary, write_dictionary
from curator_gui.synthesis.domain import Domain, Unit
from curator_gui.synthesis.mechanisms import Entry, ExpectedError, Synthesis, expected_errors, synthesize
from curator_gui.synthesis.noise import Noise, OpenDPNoise, SeededNoise
from curator_gui.synthesis.request import MECHANISMS, Mechanism, SynthesisRequest
from curator_gui.synthesis.stages import Phase, Stage, StageProgress, in_words

__all__ = [
    "MECHANISMS",
    "Domain",
    "Entry",
    "ExpectedError",
    "Mechanism",
    "Noise",
    "OpenDPNoise",
    "Phase",
    "SeededNoise",
    "Stage",
    "StageProgress",
    "Synthesis",
    "SynthesisRequest",
    "Unit",
    "epsilon_of",
    "expected_errors",
    "in_words",
    "propose",
    "read_dictionary",
    "rho_of",
    "rho_units",
    "synthesize",
    "write_dictionary",
]
