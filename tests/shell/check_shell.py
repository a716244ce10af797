#!/usr/bin/env python3
"""Completion for bash, zsh and fish and the manual page name every command and option of the program, and no other.

The options are read from what `driftless COMMAND --help` prints. The script for bash is also tried: a line is typed in
parts, and the words that it offers are looked at. What is not installed (zsh, fish, mandoc) is left out.
"""
import re
import shutil
import subprocess
import sys

PROGRAM = sys.argv[1]
problems = []


def output(*command, text=None):
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False)


def expect(condition, what):
    if not condition:
        problems.append(what)


def same(found, expected, where):
    for word in sorted(set(expected) - set(found)):
        problems.append(f"{where} lacks {word}")
    for word in sorted(set(found) - set(expected)):
        problems.append(f"{where} has {word}, which the program has not")


def options_in(help_text):
    return set(re.findall(r"^\s+(?:-\w,)?(--[a-z][a-z0-9-]*)", help_text, re.M))


general = output(PROGRAM, "--help").stdout
commands = re.findall(r"^  ([a-z][a-z-]*)  +\S", general.split("Subcommands:")[1], re.M)
options = {command: options_in(output(PROGRAM, command, "--help").stdout) for command in commands}
expect(len(commands) > 12, f"only the commands {commands} were found")
scripts = {shell: output(PROGRAM, "completion", shell).stdout for shell in ("bash", "zsh", "fish")}
manual = output(PROGRAM, "manual").stdout


def check_manual():
    sections = dict(re.findall(r'^\.SS "driftless (.*?)"\n(.*?)(?=^\.S[SH])', manual.replace("\\-", "-"), re.M | re.S))
    same(sections, commands, "the manual")
    for command in commands:
        found = re.findall(r"^\.BI? (--[a-z0-9-]+)", sections.get(command, ""), re.M)
        same(found, options[command], f"the manual of {command}")
    if shutil.which("mandoc"):
        lint = output("mandoc", "-T", "lint", "-W", "error", text=manual).stdout
        expect("ERROR" not in lint, f"mandoc: {lint}")


def completed(line):
    """What bash offers after these words, the last of which is being typed."""
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    script = f"{scripts['bash']}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _driftless; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return output("bash", "-c", script).stdout.split()


def check_bash():
    expect(output("bash", "-n", text=scripts["bash"]).returncode == 0, "bash cannot read its script")
    same([word for word in completed("driftless ") if not word.startswith("-")], commands, "bash")
    for command in commands:
        same(completed(f"driftless {command} -"), options[command], f"bash, after driftless {command}")
    same(completed("driftless run x.mo --pivot "), ["continue", "never", "restart"], "bash, after --pivot")
    expect("radau" in completed("driftless run x.mo --method ra"), "bash does not complete --method ra")
    expect("bdf,radau" in completed("driftless compare x.mo --methods bdf,rada"), "bash does not complete a list")
    expect(completed("driftless solve-bvp x.mo --method xyz") == [], "bash offers words that do not fit")
    expect("bash" in completed("driftless completion b"), "bash does not complete the name of a shell")


def check_zsh_and_fish():
    for command in commands:
        block = re.search(rf"^    {command}\) _arguments(.*?);;$", scripts["zsh"], re.M | re.S)
        same(re.findall(r"'\*?(--[a-z0-9-]+)\[", block[1] if block else ""), options[command], f"zsh, {command}")
        found = re.findall(rf"__fish_seen_subcommand_from {command}' -l ([a-z0-9-]+)", scripts["fish"])
        same(["--" + name for name in found], options[command], f"fish, {command}")
    for shell in ("zsh", "fish"):
        if shutil.which(shell):
            read = output(shell, "--no-execute" if shell == "fish" else "-n", "/dev/stdin", text=scripts[shell])
            expect(read.returncode == 0, f"{shell} cannot read its script: {read.stderr}")


check_manual()
check_bash()
check_zsh_and_fish()
wrong = output(PROGRAM, "completion", "tcsh")
expect(wrong.returncode == 2 and "'tcsh' is not one of bash, fish, zsh" in wrong.stderr, "an unknown shell is not refused")
print("\n".join(problems) or f"{len(commands)} commands, {sum(map(len, options.values()))} options in four places")
sys.exit(1 if problems else 0)
