"""The program's reading of a configuration."""
import dataclasses
import json
import pathlib
import subprocess
import tempfile


@dataclasses.dataclass(frozen=True)
class Reading:
    error: str = ""
    confidence: str = ""
    facts: dict = dataclasses.field(default_factory=dict)

    @property
    def assumptions(self):
        return self.facts.get("assumptions") or []

    def unread(self):
        """The keys that the program says it has not read."""
        keys = []
        for sentence in self.assumptions:
            if "not read: " in sentence:
                keys += [each.split()[0] for each in sentence.split("not read: ")[1].split(", ")]
        return keys


class Program:
    def __init__(self, path):
        self.path = path

    def inspect(self, configuration, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "config.json"
            file.write_text(json.dumps(configuration))
            run = subprocess.run([self.path, "inspect", str(file), "--format", "json", *options],
                                 capture_output=True, text=True, check=False)
        if run.returncode:
            return Reading(error=run.stderr.strip().replace(str(file), "config.json"))
        facts = json.loads(run.stdout)
        return Reading(confidence=facts.get("confidence", ""), facts=facts)

    def diagnose(self, dump, configuration):
        """The exit status and what the program says of a dump held to a configuration."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "config.json"
            file.write_text(json.dumps(configuration))
            run = subprocess.run([self.path, "diagnose", str(dump), "--expect", str(file)],
                                 capture_output=True, text=True, check=False)
        return run.returncode, (run.stdout + run.stderr).strip().replace(str(file), "config.json")
