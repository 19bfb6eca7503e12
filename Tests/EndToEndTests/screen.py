"""pyte's screen with what a modern terminal has besides: repeats, scrolling, modes that can be asked for."""

import copy

import pyte


class Screen(pyte.Screen):
    """The glass of a terminal. `answer` sends what the terminal replies to queries."""

    def __init__(self, columns, rows, answer):
        self._answer = answer
        self.private_modes = set()  # switched on: 1049, 2004, …; switched off though on at first: -7, -25
        self._last = " "
        self.keypad = False
        self.titles = []
        super().__init__(columns, rows)

    def write_process_input(self, data):
        self._answer(data)

    def set_title(self, param):
        super().set_title(param)
        self.titles.append(param)

    def draw(self, data):
        if data:
            self._last = data[-1]
        super().draw(data)

    def repeat(self, count=1, **_):
        self.draw(self._last * (count or 1))

    def scroll_up(self, count=1, **_):
        self._scroll(count or 1, self.delete_lines)

    def scroll_down(self, count=1, **_):
        self._scroll(count or 1, self.insert_lines)

    def _scroll(self, count, lines):
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        lines(count)
        self.cursor.x, self.cursor.y = x, y

    def save_cursor(self):
        self.savepoints.clear()
        super().save_cursor()

    def restore_cursor(self):
        # pyte takes the place off a stack; a terminal has one, and goes back to it as often as it is told.
        kept = [point._replace(cursor=copy.copy(point.cursor)) for point in self.savepoints[-1:]]
        super().restore_cursor()
        self.savepoints[:] = kept

    def back_tab(self, count=1, **_):
        for _ in range(count or 1):
            self.cursor.x = max([stop for stop in self.tabstops if stop < self.cursor.x], default=0)

    def set_mode(self, *modes, **flags):
        if flags.get("private"):
            self.private_modes = self.private_modes - {-mode for mode in modes} | set(modes)
        super().set_mode(*modes, **flags)

    def reset_mode(self, *modes, **flags):
        if flags.get("private"):
            self.private_modes = self.private_modes - set(modes) | ({-mode for mode in modes} & {-7, -25})
        super().reset_mode(*modes, **flags)
        if flags.get("private") and 1049 in modes:
            self.erase_in_display(2)  # the shell's screen comes back; here it was empty

    def keypad_on(self, *_):
        self.keypad = True

    def keypad_off(self, *_):
        self.keypad = False

    def modes_left_on(self):
        """What the program left different from a fresh terminal, in words."""
        names = {
            1: "cursor keys in application mode", 1000: "mouse", 1002: "mouse", 1003: "mouse", 1004: "focus reports",
            1006: "mouse", 47: "alternate screen", 1047: "alternate screen", 1049: "alternate screen",
            2004: "bracketed paste", 2026: "synchronized output", -7: "no line wrap", -25: "cursor hidden",
        }  # fmt: skip
        left = sorted({names[mode] for mode in self.private_modes if mode in names})
        left += ["keypad in application mode"] if self.keypad else []
        left += ["scroll region"] if self.margins not in (None, (0, self.lines - 1)) else []
        colours = (self.cursor.attrs.fg, self.cursor.attrs.bg)
        return left + (["colours"] if colours != ("default", "default") or self.cursor.attrs.bold else [])


class ScreenStream(pyte.ByteStream):
    """Reads the bytes a program writes, with the sequences that pyte leaves out."""

    csi = {**pyte.ByteStream.csi, "b": "repeat", "S": "scroll_up", "T": "scroll_down", "Z": "back_tab"}
    escape = {**pyte.ByteStream.escape, "=": "keypad_on", ">": "keypad_off"}
    events = pyte.ByteStream.events | {"repeat", "scroll_up", "scroll_down", "back_tab", "keypad_on", "keypad_off"}
