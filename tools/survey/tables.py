"""Our own tables, as the program has them."""
import json
import pathlib

ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets"


def read(name):
    return json.loads((ASSETS / name).read_text())


class Families:
    """assets/families.json."""

    def __init__(self, tables=None):
        self.tables = tables or read("families.json")
        self.rows = {row["model_type"]: row for row in self.tables["families"]}

    def refused(self, model_type):
        """Whether the type is known to place its tokens otherwise, or in several axes."""
        return any(model_type in row["model_types"] for name in ("without_rope", "several_axes")
                   for row in self.tables[name])

    def tower(self, model_type):
        return any(model_type.startswith(row["begins"]) for row in self.tables["towers"])

    def condition(self, model_type):
        """The key and value without which the family has no RoPE."""
        row = self.rows.get(model_type, {})
        condition = row.get("condition", self.rows.get(row.get("as"), {}).get("condition", {}))
        return {condition["key"]: condition["value"]} if "value" in condition else {}

    def sections(self, model_type):
        """The pairs of time, height and width that a missing mrope_section means; None if the
        type turns in one axis or its file must say them."""
        for row in self.tables["sections"]:
            if model_type.startswith(row["begins"]):
                usual = row.get("usual")
                return [usual[axis] for axis in row.get("names", "thw")] if usual else None
        return None

    def runtimes(self, model_type):
        row = self.rows.get(model_type)
        while row is not None:
            if "runtimes" in row:
                base = self.rows.get(row["runtimes"].get("as"), {}).get("runtimes", {})
                columns = {**base, **row["runtimes"]}
                return {name: column for name, column in columns.items() if column is not None}
            row = self.rows.get(row.get("as"))
        return {}
