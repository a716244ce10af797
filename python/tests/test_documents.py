"""The programs of docs/python.md print what the page says; those in examples/python succeed.

DRIFTLESS_ACCEPT=1 writes the present output and files into the page.
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["DRIFTLESS_SOURCE_DIR"])
PAGE = SOURCE / "docs" / "python.md"
FENCE = re.compile(r"(?<!-->\n)^```python\n(.*?)^```\n(\n```text\n(.*?)^```\n)?", re.M | re.S)
FILE = re.compile(r"(<!-- file: (\S+) -->\n```)\w*\n(.*?)^```$", re.M | re.S)


class Documents(unittest.TestCase):
    maxDiff = None

    def test_the_programs_of_the_page_print_what_it_says(self):
        names = {}
        text = PAGE.read_text()
        problems = []

        def check(match):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(match[1], str(PAGE), "exec"), names)  # one after the other, as a reader types them
            actual = out.getvalue().rstrip() + "\n" if out.getvalue() else ""
            if actual != (match[3] or ""):
                problems.append(f"{match[1]}\nsays\n{match[3]}\nprints\n{actual}")
            return f"```python\n{match[1]}```\n" + (f"\n```text\n{actual}```\n" if actual else "")

        updated = FENCE.sub(check, text)
        if os.environ.get("DRIFTLESS_ACCEPT"):
            updated = FILE.sub(lambda m: f"{m[1]}python\n{(SOURCE / m[2]).read_text()}```", updated)
            PAGE.write_text(updated)
        else:
            self.assertEqual(problems, [])

    def test_the_program_of_the_first_page_runs(self):
        programs = FENCE.findall((SOURCE / "README.md").read_text())
        self.assertEqual(len(programs), 1)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "models").symlink_to(SOURCE / "models")
            done = subprocess.run([sys.executable, "-c", programs[0][0]], capture_output=True, text=True, timeout=60, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((Path(folder) / "pendulum.png").exists())

    def test_every_example_succeeds(self):
        examples = sorted((SOURCE / "examples" / "python").glob("*.py"))
        self.assertGreaterEqual(len(examples), 5)
        for example in examples:
            with self.subTest(example.name), tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, str(example)]
                try:
                    import matplotlib  # noqa: F401
                    command.append(str(Path(folder) / "picture.png"))
                except ImportError:
                    pass
                done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
