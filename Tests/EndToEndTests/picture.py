"""Draws the README's picture from a real run of the demo: `picture.py FILE.png`."""

import pathlib
import sys
import tempfile

from PIL import Image, ImageDraw, ImageFont

from terminal import Terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono{}.ttf"
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


def draw(screen):
    """The screen as an image; each cell at its place, whatever the font thinks of its width."""
    fonts = {bold: ImageFont.truetype(FONTS.format("-Bold" if bold else ""), SIZE) for bold in (False, True)}
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
            if cell.data.strip():
                canvas.text((x, y + 1), cell.data, font=fonts[cell.bold], fill=front)
            if cell.underscore:
                canvas.line((x, y + height - 3, x + width - 1, y + height - 3), fill=front)
    return image


def main(target):
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC"}
        with Terminal([str(ROOT / ".build/debug/pingline"), "demo"], 110, 30, env=env) as demo:
            demo.wait_text(r"\bconnected\b")
            demo.wait_idle(quiet=0.5)
            demo.type("Morning! Did the build survive the night?")
            demo.key("Enter")
            demo.wait_text("✔✔")
            demo.wait_text("typing")
            demo.wait_gone("typing", seconds=30)
            demo.wait_idle(quiet=0.5)
            pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
            draw(demo.screen).save(target, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
