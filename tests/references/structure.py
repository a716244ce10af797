"""Pryce's signature method, by brute force: a dense assignment problem and the smallest offsets (BIT 41 (2001) 364)."""
import numpy
from scipy.optimize import linear_sum_assignment


def offsets(signature):
    """Smallest c, d >= 0 with d[j] - c[i] >= sigma[i][j], equality on a transversal of largest total sigma."""
    n = len(signature)
    sigma = numpy.full((n, n), -1e6)
    for i, row in enumerate(signature):
        for j, order in row.items():
            sigma[i, j] = order
    rows, columns = linear_sum_assignment(sigma, maximize=True)
    if sigma[rows, columns].min() < 0:
        raise ValueError("structurally singular")
    c = numpy.zeros(n)
    while True:
        d = (sigma + c[:, None]).max(axis=0)
        following = d[columns] - sigma[rows, columns]
        if (following == c).all():
            return [int(v) for v in c], [int(v) for v in numpy.maximum(d, 0)]
        c = following


def describe(signature):
    c, d = offsets(signature)
    return {"equations": len(c), "structural_index": max(c) + (1 if min(d) == 0 else 0),
            "degrees_of_freedom": sum(d) - sum(c), "differentiations": c}
