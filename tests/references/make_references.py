"""Makes every tests/references/*.json anew, and refuses to write what fails a check (see reference.py).

    /usr/bin/python3 make_references.py            all of them
    /usr/bin/python3 make_references.py pendulum   only these

Needs python3-gmpy2, python3-numpy and python3-scipy. Deterministic: the same files come out every time.
"""
import inspect
import sys
import time

import circuits
import formulas
import literature
import mechanisms
import pendula
from reference import build

REFERENCES = {name: function for module in (pendula, mechanisms, circuits, formulas, literature)
              for name, function in inspect.getmembers(module, inspect.isfunction)
              if function.__module__ == module.__name__ and not inspect.signature(function).parameters}

if __name__ == "__main__":
    for name in sys.argv[1:] or REFERENCES:
        begin = time.time()
        document = build(name, REFERENCES[name]())
        print("%-22s %6.1f s  index %d, %d states, amplification %s" % (
            name, time.time() - begin, document["structure"]["structural_index"],
            document["structure"]["degrees_of_freedom"], document.get("error_amplification", "-")), flush=True)
