"""What a survey finds, and the table that it prints."""
import dataclasses
import json
import pathlib

JUDGED = pathlib.Path(__file__).with_name("judged.json")
NEW, DIFFERS, JUDGED_ALREADY = "new", "differs", "judged"


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that is new in a checkout or not as our tables have it."""
    kind: str
    model_type: str
    what: str
    theirs: str = ""
    ours: str = ""
    reason: str = ""


@dataclasses.dataclass
class Survey:
    project: str
    commit: str
    only: str = ""  # the types that begin so
    compared: int = 0
    not_run: list = dataclasses.field(default_factory=list)  # model_type and why
    findings: list = dataclasses.field(default_factory=list)
    attention: int = 0  # models whose own attention was run up to the scores
    attention_not_run: list = dataclasses.field(default_factory=list)

    def new(self, model_type, what, theirs="", ours=""):
        self.findings.append(Finding(NEW, model_type, what, str(theirs), str(ours)))

    def differs(self, model_type, what, theirs, ours):
        self.findings.append(Finding(DIFFERS, model_type, what, str(theirs), str(ours)))


def reason_for(project, finding, judged):
    """The reason of the judgement that is about a finding, or "". One without `theirs` holds
    whatever the checkout says, for what begins so."""
    for one in judged:
        if (one["project"], one["model_type"]) == (project, finding.model_type) and (
                one["what"] == finding.what and one.get("theirs") == finding.theirs
                or "theirs" not in one and finding.what.startswith(one["what"])):
            return one["reason"]
    return ""


def judge(survey, judged):
    """Marks the findings that a person has looked at. A judgement names what the checkout said
    then: where it says something else today, the finding is open again."""
    survey.findings = [
        dataclasses.replace(f, kind=JUDGED_ALREADY, reason=reason)
        if (reason := reason_for(survey.project, f, judged)) else f for f in survey.findings]
    return survey


def read_judged():
    return json.loads(JUDGED.read_text())["judged"]


def open_findings(survey):
    return [f for f in survey.findings if f.kind != JUDGED_ALREADY]


def table(survey):
    """Markdown, which is read in a terminal as well."""
    counts = {kind: sum(f.kind == kind for f in survey.findings)
              for kind in (NEW, DIFFERS, JUDGED_ALREADY)}
    lines = [f"{survey.project} at {survey.commit}: {survey.compared} compared, "
             f"{counts[NEW]} new, {counts[DIFFERS]} differ, "
             f"{counts[JUDGED_ALREADY]} known to differ"]
    if survey.findings:
        lines += ["", "| | type | what | there | here | why |", "|---|---|---|---|---|---|"]
    for f in sorted(survey.findings, key=lambda f: (f.kind, f.model_type, f.what)):
        cells = [f.kind, f.model_type, f.what, f.theirs, f.ours, f.reason]
        lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    if survey.attention:
        lines += ["", f"The attention of {survey.attention} models was run up to the scores."]
    for what, those in (("Not run", survey.not_run),
                        ("Attention not run", survey.attention_not_run)):
        if those:
            lines += ["", f"{what}: " + "; ".join(f"{name} ({why})" for name, why in those) + "."]
    return "\n".join(lines)
