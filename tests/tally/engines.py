"""The same small table in every engine."""

import numpy as np

N = 3000


def columns() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(8)
    p = rng.uniform(0.05, 0.95, N)
    q = np.where(rng.random(N) < 0.1, 0.5, rng.uniform(0.01, 1.0, N))
    return {
        "q": q,
        "p": p,
        "log_q": np.log(q),
        "log_p": np.log(p),
        "j": np.log(q) - np.log(p),
        "group": rng.integers(0, 3, N),
    }
