"""A rule seen red and green: one file that it must find something in, one close to it in which it must not."""

from dataclasses import dataclass

from tandem.check.finding import Finding
from tandem.check.fix import fix_text
from tandem.check.run import check_text
from tandem.check.subject import Surroundings


@dataclass(frozen=True)
class Case:
    """`mends` says that `--fix` must remove the finding; `node` and `kuberay` are what the file does not say."""

    rule: str
    red: str
    green: str
    mends: bool = False
    node: str | None = None
    kuberay: str | None = None

    @property
    def around(self) -> Surroundings:
        """What the user adds on the command line."""
        return Surroundings(node=self.node, kuberay=self.kuberay)


def hold(case: Case) -> None:
    """Asserts red, green, and what `--fix` is said to do."""
    red = _of(case.rule, check_text(case.red, "red.yaml", case.around).findings)
    assert red, f"{case.rule} finds nothing in the red file"
    assert all(found.line for found in red), f"{case.rule} has no line"
    assert all(found.file == "red.yaml" and found.path for found in red)
    green = _of(case.rule, check_text(case.green, "green.yaml", case.around).findings)
    assert not green, f"false alarm: {green}"
    fixed, changes = fix_text(case.red, "red.yaml", case.around)
    left = _of(case.rule, check_text(fixed, "red.yaml", case.around).findings)
    if case.mends:
        assert not left, f"--fix left {left}"
        assert changes
    assert case.mends or left, f"--fix mends {case.rule}: say so in the case"


def _of(rule: str, findings: tuple[Finding, ...]) -> list[Finding]:
    return [found for found in findings if found.id == rule]
