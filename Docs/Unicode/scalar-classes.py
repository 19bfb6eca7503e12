"""Writes Sources/Terminal/Text/ScalarClassTable.swift. Not part of the build.

    pip install unicodedata2 wcwidth && python3 Docs/Unicode/scalar-classes.py > THE_FILE

Categories come from unicodedata2, widths from wcwidth; both carry their Unicode version.
"""

import unicodedata2 as ucd
import wcwidth

CLASSES = "dropped narrow wide mark spacingMark joiner tag control trustedNarrow trustedWide space".split()
TRUSTED_LETTERS = [(0xC0, 0x24F), (0x370, 0x3FF), (0x400, 0x52F), (0x1E00, 0x1FFF)]
TRUSTED_WIDE = [
    (0x3000, 0x3000), (0x3041, 0x3096), (0x309B, 0x309F), (0x30A1, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6),
]


def within(code, ranges):
    return any(low <= code <= high for low, high in ranges)


def classify(code):
    category = ucd.category(chr(code))
    width = wcwidth.wcwidth(chr(code))
    if category == "Cc":
        return "control"
    if code in (0x200C, 0x200D):
        return "joiner"
    if 0xE0020 <= code <= 0xE007F:
        return "tag"
    if category in ("Cf", "Zl", "Zp", "Cs", "Co", "Cn"):
        return "dropped"
    if 0x20 <= code <= 0x7E or 0x2500 <= code <= 0x259F:  # lines and blocks
        return "trustedNarrow"
    if category[0] == "L" and within(code, TRUSTED_LETTERS):
        return "trustedNarrow"
    if within(code, TRUSTED_WIDE):
        return "trustedWide"
    if category == "Zs":
        return "space"
    if category in ("Mn", "Me"):
        return "mark"
    if category == "Mc":
        return "spacingMark"
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FB:
        return "mark" if width == 0 else "narrow"
    return "wide" if width == 2 else "narrow"


entries, last = [], None
for code in range(0x110000):
    now = classify(code)
    if now != last:
        entries.append(code << 4 | CLASSES.index(now))
        last = now

print(f"""/// What `ScalarClass` knows of every Unicode scalar: where each run of one class begins.
///
/// Made by `Docs/Unicode/scalar-classes.py` from Unicode {ucd.unidata_version} categories and
/// Unicode {wcwidth.list_versions()[-1]} widths; not edited by hand. An entry is `scalar << 4 | class`, in ascending order.
let scalarClassTable: [UInt32] = [""")
for i in range(0, len(entries), 10):
    print("    " + " ".join(f"0x{e:X}," for e in entries[i:i + 10]))
print("]")
