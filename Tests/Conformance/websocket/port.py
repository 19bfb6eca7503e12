"""Makes the Autobahn suite, which was written for Python 2, run on Python 3: once, right after it was installed.

Its cases know no difference between text and octets. They keep `str`, one character an octet, and what meets the
network is made `bytes` and back by the three functions of `octets.py`. Every change below must find its place, so
that another version of the suite is refused and not half changed.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys

OCTETS = '''
import binascii


def L(text):
    """The octets of a text that has one character for each."""
    return text.encode("latin-1") if isinstance(text, str) else text


def S(octets):
    """The text with one character for each octet."""
    return octets.decode("latin-1") if isinstance(octets, (bytes, bytearray)) else octets


def hexed(octets):
    return binascii.hexlify(L(octets)).decode("ascii")
'''

# What the suite sends through Autobahn, which takes octets only.
SENDING = '''
   def sendFrame(self, opcode, payload = '', **more):
      return super().sendFrame(opcode, payload = L(payload), **more)

   def sendMessage(self, payload, *more, **named):
      return super().sendMessage(L(payload), *more, **named)

   def sendMessageFrameData(self, payload, **more):
      return super().sendMessageFrameData(L(payload), **more)

   def sendCloseFrame(self, code = None, reasonUtf8 = None, **more):
      return super().sendCloseFrame(code = code, reasonUtf8 = L(reasonUtf8), **more)
'''

# File names, what to look for, what to put there. A plain text, or an expression.
EVERYWHERE = "*.py"
CHANGES = [
    (EVERYWHERE, "binascii.b2a_hex(", "hexed("),
    (EVERYWHERE, "(object, Case, )", "(Case, )"),
    (EVERYWHERE, "import implements\n", "import implementer\n"),
    (
        EVERYWHERE,
        re.compile(r"^class (\w+)(\([^)]*\))?:\n((?:(?!^class ).*\n)*?)^ +implements\((.*?)\)\n", re.M),
        r"@implementer(\4)\nclass \1\2:\n\3",
    ),
    (EVERYWHERE, "len(self.payload) / self.p.autoFragmentSize", "len(self.payload) // self.p.autoFragmentSize"),
    # Objects that hold functions cannot be pickled any more; they can be compared.
    (EVERYWHERE, "pickle.dumps(obj1) == pickle.dumps(obj2)", "obj1 == obj2"),
    # Sample texts in the source are UTF-8, and here its octets.
    ("case6_2_*.py", re.compile(r'^(   PAYLOAD\d? = )(".*")$', re.M), r'\1\2.encode("utf8").decode("latin-1")'),
    (
        "case6_x_x.py",
        re.compile(r'chr\(([ij])\)\.encode\("utf-8"\)'),
        r'chr(\1).encode("utf-8", "surrogatepass").decode("latin-1")',
    ),
    ("case6_x_x.py", "v.validate(vss[:i])", "v.validate(L(vss[:i]))"),
    # Parts that do other things than these tests, and were never made ready.
    ("wstest.py", re.compile(r"^from \. import (serializer|broadcast|massconnect)$", re.M), r"\1 = None"),
    ("__init__.py", re.compile(r"^from \. import (massconnect|broadcast)$", re.M), ""),
    ("fuzzing.py", "return dd.decode('utf8'", "return L(dd).decode('utf8'"),
    ("fuzzing.py", "p = ''.join(payload)", "p = S(b''.join(L(part) for part in payload))"),
    ("fuzzing.py", "   def onPong(self, payload):\n", "   def onPong(self, payload):\n      payload = S(payload)\n"),
    (
        "fuzzing.py",
        "   def onMessage(self, msg, binary):\n",
        "   def onMessage(self, msg, binary):\n      msg = S(msg)\n",
    ),
    ("fuzzing.py", "   MAX_WIRE_LOG_DATA = 256\n", "   MAX_WIRE_LOG_DATA = 256\n" + SENDING),
    ("fuzzing.py", ').encode("utf-8"))', "))"),
    ("fuzzing.py", "ll.encode('utf8')", "ll"),
    ("fuzzing.py", "report_filename), 'w')", "report_filename), 'w', encoding='utf8', errors='replace')"),
    ("fuzzing.py", "separators = (',', ': '))", "separators = (',', ': '), default = S)"),
    ("fuzzing.py", "putChild('cwd'", "putChild(b'cwd'"),
]


def folder(package):
    """Where it is installed; it cannot be imported yet."""
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])


def replaced(text, before, after):
    return text.replace(before, after) if isinstance(before, str) else before.sub(after, text)


def with_import(text, path, suite):
    """The text that knows the functions for octets, if it uses them."""
    if not re.search(r"\b(L|S|hexed)\(", text):
        return text
    first = re.search(r"^(?:import|from) ", text, re.M).start()
    dots = "." * (len(path.relative_to(suite).parts))
    return f"{text[:first]}from {dots}octets import L, S, hexed\n{text[first:]}"


def change_all(suite):
    files = {path: path.read_text(encoding="utf8") for path in suite.rglob("*.py")}
    before = dict(files)
    for names, old, new in CHANGES:
        found = [path for path in files if path.match(names) and replaced(files[path], old, new) != files[path]]
        assert found, f"this is another version of the suite: {names} has no {old!r}"
        for path in found:
            files[path] = replaced(files[path], old, new)
    for path, text in files.items():
        if text != before[path]:
            path.write_text(with_import(text, path, suite), encoding="utf8")
    (suite / "octets.py").write_text(OCTETS.lstrip(), encoding="utf8")


def main():
    suite = folder("autobahntestsuite")
    if (suite / "octets.py").exists():
        return  # done before
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "lib2to3", "-w", "-n", str(suite)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    change_all(suite)
    protocol = folder("autobahn") / "websocket/protocol.py"
    old = "range(payload_len / len(payload))"
    text = protocol.read_text(encoding="utf8")
    assert old in text, "this is another version of Autobahn"
    protocol.write_text(text.replace(old, old.replace("/", "//")), encoding="utf8")


if __name__ == "__main__":
    main()
