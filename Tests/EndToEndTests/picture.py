"""Draws the README's pictures from real runs of the demo: `picture.py FOLDER`."""

import pathlib
import sys
import tempfile

from PIL import Image, ImageDraw, ImageFont

from images import BLOCKS, cells
from terminal import Terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = "/usr/share/fonts/truetype/"
FONTS = FOLDER + "dejavu/DejaVuSansMono{}.ttf"
WIDE = FOLDER + "vlgothic/VL-Gothic-Regular.ttf"
SERIF = FOLDER + "dejavu/DejaVuSerif.ttf"
ONLY_SERIF = "⤓"  # what the other one has no picture of
EMOJI = FOLDER + "noto/NotoColorEmoji.ttf"
EMOJI_SIZE = 109  # the one size this font has; drawn so, then made smaller
SIZE = 17  # pixels of the font
MARGIN = 14
BACKGROUND, FOREGROUND = "#16181d", "#d6d9e0"
PALETTE = {
    "black": "#2b2f38", "red": "#e06c75", "green": "#8cc570", "brown": "#d9b36c", "blue": "#6fa8e8",
    "magenta": "#c38ae0", "cyan": "#5fc0c7", "white": "#c8ccd4", "brightblack": "#7a8190", "brightred": "#f08a92",
    "brightgreen": "#a6dd8a", "brightbrown": "#ecca88", "brightblue": "#93c1f5", "brightmagenta": "#d8a8f0",
    "brightcyan": "#84d8de", "brightwhite": "#ffffff",
}  # fmt: skip


def colour(name, default):
    """A pyte colour as Pillow wants it."""
    if name == "default":
        return default
    return PALETTE.get(name) or f"#{name}"


def is_emoji(text):
    return bool(text) and ord(text[0]) >= 0x1F000


def drawn_emoji(text, side):
    """A picture of the emoji with nothing behind it."""
    image = Image.new("RGBA", (EMOJI_SIZE * 5 // 4, EMOJI_SIZE * 5 // 4))
    font = ImageFont.truetype(EMOJI, EMOJI_SIZE)
    ImageDraw.Draw(image).text((0, 0), text, font=font, embedded_color=True)
    return image.resize((side, side))


# Which quarters of a cell a block element fills: upper left, upper right, lower left, lower right.
QUARTERS = dict(zip(BLOCKS, ((1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1),
    (1, 0, 0, 0), (1, 0, 1, 1), (1, 0, 0, 1), (1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 1, 1),
    (1, 1, 1, 1))))  # fmt: skip


def fill_quarters(canvas, block, x, y, width, height, front):
    """A block element as a terminal draws it: to the edges of its cell, whatever the font has."""
    middle, half = x + width // 2, y + height // 2
    columns, rows = ((x, middle), (middle, x + width)), ((y, half), (half, y + height))
    for quarter, is_filled in enumerate(QUARTERS[block]):
        (left, right), (top, bottom) = columns[quarter % 2], rows[quarter // 2]
        if is_filled:
            canvas.rectangle((left, top, right - 1, bottom - 1), fill=front)


def draw(screen):
    """The screen as an image; each cell at its place, whatever the font thinks of its width."""
    fonts = {bold: ImageFont.truetype(FONTS.format("-Bold" if bold else ""), SIZE) for bold in (False, True)}
    wide = ImageFont.truetype(WIDE, SIZE + 2)
    serif = ImageFont.truetype(SERIF, SIZE)
    width, height = round(fonts[False].getlength("M")), SIZE + 5
    size = (screen.columns * width + 2 * MARGIN, screen.lines * height + 2 * MARGIN)
    image = Image.new("RGB", size, BACKGROUND)
    canvas = ImageDraw.Draw(image)
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            front, back = colour(cell.fg, FOREGROUND), colour(cell.bg, BACKGROUND)
            if cell.reverse:
                front, back = back, front
            x, y = MARGIN + column * width, MARGIN + row * height
            if back != BACKGROUND:
                canvas.rectangle((x, y, x + width - 1, y + height - 1), fill=back)
            if cell.data in QUARTERS:
                fill_quarters(canvas, cell.data, x, y, width, height, front)
            elif is_emoji(cell.data):
                image.paste(emoji := drawn_emoji(cell.data, 2 * width), (x, y + 1), emoji)
            elif cell.data.strip():
                font = wide if ord(cell.data[0]) >= 0x2E80 else fonts[cell.bold]
                font = serif if cell.data in ONLY_SERIF else font
                canvas.text((x, y + 1), cell.data, font=font, fill=front)
            if cell.underscore:
                canvas.line((x, y + height - 3, x + width - 1, y + height - 3), fill=front)
    return image


def shoot(path, columns, rows, act, **env):
    """Runs the demo, does something in it, and keeps what the screen shows then."""
    with tempfile.TemporaryDirectory() as home:
        env |= {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC"}
        with Terminal([str(ROOT / ".build/debug/pingline"), "demo"], columns, rows, env=env) as demo:
            demo.wait_text(r"\bconnected\b")
            demo.key("Enter")
            demo.wait_text("┐┌ Cabin weekend")
            act(demo)
            demo.wait_idle(quiet=0.5)
            draw(demo.screen).save(path, optimize=True)


def talk(demo):
    wait_picture(demo)
    demo.type("I packed the torch. Shall I bring a second lamp?")
    demo.wait_text("second lamp")
    demo.key("Enter")
    demo.wait_text("lamp.*✔✔")
    demo.wait_text("typing")
    demo.wait_gone("typing", seconds=30)


def wait_picture(demo):
    demo.wait(lambda: len(cells(demo.screen)) > 60, "picture in the thread", 30)


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shoot(folder / "demo.png", 110, 30, talk, COLORTERM="truecolor")
    shoot(folder / "thread-with-picture.png", 80, 24, wait_picture, COLORTERM="truecolor")
    shoot(folder / "thread-with-picture-256.png", 80, 24, wait_picture)


if __name__ == "__main__":
    main(sys.argv[1])
