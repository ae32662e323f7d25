"""Writes how all trainings went: curves.csv, and the picture curves.svg."""
import argparse
import csv
import json
from pathlib import Path

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 20, 44
NAMES = {"rope": "RoPE, base 10000", "rope100": "RoPE, base 100", "sinusoidal": "additive sinusoids", "none": "no position"}
COLOURS = {"rope": "#0072b2", "rope100": "#009e73", "sinusoidal": "#d55e00", "none": "#666666"}  # Okabe and Ito
DASHES = {1: "4 3", 2: "none"}


def read_curves(runs):
    """Returns the contents of curve.json of every training, by position and seed."""
    curves = [json.loads(path.read_text()) for path in runs.glob("*-[0-9]/curve.json")]
    return sorted(curves, key=lambda curve: (list(NAMES).index(curve["position"]), curve["seed"]))


def write_csv(path, curves):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["position", "seed", "step", "mean_loss_nats", "held_out_accuracy"])
        for curve in curves:
            for point in curve["curve"]:
                table.writerow([curve["position"], curve["seed"], point["step"], point["loss"],
                                point["held_out_accuracy"]])


class Axes:
    """From steps and shares to pixels."""

    def __init__(self, steps, share):
        self.steps, self.share = steps, share

    def x(self, step):
        return LEFT + step / self.steps * (WIDTH - LEFT - RIGHT)

    def y(self, share):
        return HEIGHT - BOTTOM - share / self.share * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", colour="#333333"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def grid(axes):
    """Yields the lines of the grid and their numbers."""
    for percent in range(0, round(100 * axes.share) + 1, 10):
        y = axes.y(percent / 100)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
        yield text(LEFT - 8, y + 4, f"{percent} %", "end")
    for step in range(0, axes.steps + 1, 1000):
        yield text(axes.x(step), HEIGHT - BOTTOM + 18, f"{step}")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "steps of training")


def line(axes, curve):
    points = " ".join(f"{axes.x(p['step']):.1f},{axes.y(p['held_out_accuracy']):.1f}" for p in curve["curve"])
    return (f'<polyline points="{points}" fill="none" stroke="{COLOURS[curve["position"]]}" stroke-width="1.8" '
            f'stroke-dasharray="{DASHES[curve["seed"]]}"/>')


def legend():
    for row, (position, name) in enumerate(NAMES.items()):
        y = TOP + 16 + 20 * row
        yield f'<path d="M{WIDTH - RIGHT + 10} {y - 4}h16" stroke="{COLOURS[position]}" stroke-width="1.8"/>'
        yield text(WIDTH - RIGHT + 32, y, name, "start")
    yield text(WIDTH - RIGHT + 10, TOP + 106, "dashed: seed 1", "start", "#666666")
    yield text(WIDTH - RIGHT + 10, TOP + 126, "whole: seed 2", "start", "#666666")


def picture(curves):
    axes = Axes(max(curve["steps"] for curve in curves), 0.5)
    parts = [*grid(axes), *(line(axes, curve) for curve in curves), *legend()]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="DejaVu Sans, sans-serif" font-size="11">\n'
            f'<title>Share of hidden pieces that are named rightly, while the models are trained</title>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder of all trainings")
    parser.add_argument("folder", type=Path, help="gets curves.csv and curves.svg")
    options = parser.parse_args()
    curves = read_curves(options.runs)
    write_csv(options.folder / "curves.csv", curves)
    (options.folder / "curves.svg").write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
