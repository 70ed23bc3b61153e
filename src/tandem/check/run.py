"""All rules over a document, a file or a folder."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tandem.check.finding import Finding, Hit, Rule, Severity, finding
from tandem.check.registry import all_rules
from tandem.check.subject import NOTHING_SAID, Subject, Surroundings, read_subject
from tandem.facts import versions
from tandem.spec.manifest import Document, read_path, read_text


@dataclass(frozen=True)
class Report:
    """Findings in the order of the files; `notes` say what could not be checked, and why."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    def count(self, severity: Severity) -> int:
        """Findings of one severity."""
        return Counter(found.severity for found in self.findings)[severity]

    @property
    def failed(self) -> bool:
        """True when a finding is an error."""
        return self.count("error") > 0


def check_path(path: Path, around: Surroundings = NOTHING_SAID) -> Report:
    """Checks a file or a folder. Raises InputError when there is nothing to read."""
    return _report([document for document, _ in read_path(path)], around)


def check_text(text: str, file: str = "<text>", around: Surroundings = NOTHING_SAID) -> Report:
    """Checks every document in `text`; `file` names it in the findings. Raises InputError when it is not YAML."""
    return _report([document for document in read_text(text, file) if document.kind != "other"], around)


def check_document(document: Document, around: Surroundings = NOTHING_SAID) -> list[Finding]:
    """Findings of one document, in the order of its lines."""
    subject = read_subject(document, around)
    found = [finding(rule, hit, document.source.file, document.source.line(hit.path)) for rule, hit in _hits(subject)]
    unique = {(one.id, one.path, one.found): one for one in found}
    return sorted(unique.values(), key=lambda one: (one.line or 0, one.id, one.path))


def _hits(subject: Subject) -> list[tuple[Rule, Hit]]:
    return [(rule, hit) for rule in all_rules() for hit in rule.find(subject)]


def _report(documents: list[Document], around: Surroundings) -> Report:
    findings: list[Finding] = []
    notes: list[str] = []
    for document in documents:
        findings.extend(check_document(document, around))
        notes.extend(_notes(read_subject(document, around)))
    files = tuple(dict.fromkeys(document.source.file for document in documents))
    return Report(files, tuple(findings), tuple(dict.fromkeys(notes)))


def _notes(subject: Subject) -> list[str]:
    notes = []
    if subject.engines and not subject.pinned_release:
        notes.append(
            f"{subject.document.source.file} uses Ray {subject.ray_version}: names and values of engine arguments "
            f"were not checked, the tables are of Ray {versions.PINNED_RAY} with vLLM {versions.PINNED_VLLM}"
        )
    transport = any("LIBFABRIC" in engine.backends and not engine.node_type for engine in subject.engines)
    if transport and not any(engine.on_cpu for engine in subject.engines):
        notes.append(
            f"{subject.document.source.file} does not say on which EC2 type its engines run: what LIBFABRIC needs "
            "of it was not checked (--node g6.8xlarge says it)"
        )
    return notes
