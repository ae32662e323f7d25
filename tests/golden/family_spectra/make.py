#!/usr/bin/env python3
"""Writes spectra.json from the facts of ../families.json, in float64 and by the papers' formulas.

Nothing of the program takes part. A case says head_dim, rotary_dim, base and layout of the layers
with full attention, and where they are scaled `scaling`; `layers` has an entry for each type of
layer where types differ, and `without` the numbers of the layers that turn nothing.

    tests/golden/family_spectra/make.py          writes spectra.json
    tests/golden/family_spectra/make.py --check  whether it is up to date
"""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def plain(width, base):
    return [base ** (-2 * pair / width) for pair in range(width // 2)]


def yarn(width, base, s):
    """arXiv:2309.00071, section 3.2: pairs of few turns in the original length are divided."""
    original, factor = s["original"], s["factor"]

    def pair_of(turns):
        return width * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair_of(s.get("beta_fast", 32)), pair_of(s.get("beta_slow", 1))
    if s.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    ramp = [min(max((pair - low) / (high - low), 0), 1) for pair in range(width // 2)]
    return [w * (1 - r) + w / factor * r for w, r in zip(plain(width, base), ramp)]


def llama3(width, base, s):
    """Llama 3.1: waves shorter than original / high stay, those longer than original / low are
    divided, those between are mixed."""
    result = []
    for w in plain(width, base):
        turns = s["original"] * w / (2 * math.pi)
        mix = (turns - s["low"]) / (s["high"] - s["low"])
        mix = min(max(mix, 0), 1)
        result.append((1 - mix) * w / s["factor"] + mix * w)
    return result


def proportional(width, base, s):
    """Gemma 4: the exponents of the whole head, and the first share of its pairs."""
    turning = int(s["share"] * width // 2)
    return [w if pair < turning else 0.0 for pair, w in enumerate(plain(width, base))]


def spectrum(width, base, scaling):
    method = scaling.get("method", "default")
    if method == "default":
        return plain(width, base)
    if method == "linear":
        return [w / scaling["factor"] for w in plain(width, base)]
    if method == "alpha":
        return plain(width, base * scaling["alpha"] ** (width / (width - 2)))
    return {"yarn": yarn, "llama3": llama3, "proportional": proportional}[method](width, base, scaling)


def gain(scaling):
    if scaling.get("method") != "yarn":
        return 1.0
    if "gain" in scaling:
        return scaling["gain"]
    return 0.1 * math.log(scaling["factor"]) + 1


def entry(facts, spectra):
    """The name of a spectrum, which is put among `spectra`."""
    scaling = facts.get("scaling", {})
    name = f"{facts['rotary_dim']} channels, base {facts['base']:g}"
    if scaling:
        name += ", " + ", ".join(f"{key} {value}" for key, value in scaling.items())
    spectra[name] = {"attention_factor": gain(scaling),
                     "inv_freq": spectrum(facts["rotary_dim"], facts["base"], scaling)}
    return name


def main():
    cases = json.loads((HERE.parent / "families.json").read_text())["cases"]
    spectra, made = {}, {}
    for case in cases:
        layers = {}
        for layer in case.get("layers", []):
            layers[layer["type"]] = {
                "spectrum": entry({**case, "scaling": {}, **layer}, spectra),
                "head_dim": layer.get("head_dim", case["head_dim"]),
                **({"numbers": layer["numbers"]} if "numbers" in layer else {})}
        made[case["name"]] = {"spectrum": entry(case, spectra), "layers": layers,
                              "without": case.get("without", [])}
    text = json.dumps({"about": "Made by make.py from ../families.json.", "spectra": spectra,
                       "cases": made}, separators=(",", ":")) + "\n"
    text = text.replace('},"', '},\n"')
    target = HERE / "spectra.json"
    if "--check" in sys.argv:
        return 0 if target.exists() and target.read_text() == text else 1
    target.write_text(text)
    print(f"{len(made)} cases, {len(spectra)} spectra")
    return 0


sys.exit(main())
