"""A report whose every text tries to break the page."""

from __future__ import annotations

import dataclasses

from assay.questions.model import Choice, ReplyEvidence
from assay.report.data import ReportData, SystemUsed
from tests.report.made_up import made_up

STEM = "Which tag ends a script: </script><b class='from-data'>x</b>?"
REPLY = "<!-- <script> window.broken = 1"
NASTY = "'\"><img src=x onerror='window.broken=1'></td></table></script><!-- <script>&amp; \u202e\x07"


def hostile() -> ReportData:
    """Stems, choices, ids, replies, names of systems, groups and settings with markup in them."""
    data = made_up(20)
    name = {system.name: f"{system.name} {NASTY}" for system in data.systems[-3:]}
    asked = []
    for number, one in enumerate(data.questions):
        question = dataclasses.replace(
            one.question,
            id=f"</script>&{number}",
            stem=STEM,
            choices=tuple(Choice(c.label, NASTY + c.text) for c in one.question.choices),
            metadata={"exam </select>": NASTY, "grade": "__proto__" if number % 2 else "<b>4</b>"},
        )
        reply = (ReplyEvidence(REPLY),)
        answers = tuple(
            None
            if answer is None
            else dataclasses.replace(
                answer, question_id=question.id, evidence=tuple(reply for _ in question.choices)
            )
            for answer in one.answers
        )
        asked.append(dataclasses.replace(one, question=question, answers=answers, explanation=NASTY + REPLY))
    suspects = tuple(
        dataclasses.replace(s, question_id=f"</script>&{number}", systems=(NASTY,))
        for number, s in enumerate(data.suspects)
    )

    def renamed(rows: tuple) -> tuple:
        return tuple(dataclasses.replace(row, system=name.get(row.system, row.system)) for row in rows)

    return dataclasses.replace(
        data,
        title=NASTY,
        sentence=NASTY,
        command=f"assay run '{NASTY}'",
        configuration=NASTY,
        systems=tuple(SystemUsed(name.get(s.name, s.name), NASTY, NASTY, s.filter) for s in data.systems),
        scores=renamed(data.scores),
        gaps=renamed(data.gaps),
        ranks=renamed(data.ranks),
        comparisons=tuple(
            dataclasses.replace(c, a=name.get(c.a, c.a), b=name.get(c.b, c.b), opposite=NASTY)
            for c in data.comparisons
        ),
        breakdowns=tuple(
            dataclasses.replace(
                b,
                by=NASTY,
                systems=tuple(name.get(s, s) for s in b.systems),
                groups=tuple(dataclasses.replace(g, value=NASTY + g.value) for g in b.groups),
            )
            for b in data.breakdowns
        ),
        agreement=tuple(
            dataclasses.replace(a, systems=tuple(name.get(s, s) for s in a.systems)) for a in data.agreement
        ),
        matrix=dataclasses.replace(data.matrix, systems=tuple(name.get(s, s) for s in data.matrix.systems)),
        calibration=renamed(data.calibration),
        suspects=suspects,
        questions=tuple(asked),
        left_out=(NASTY,),
        settings={NASTY: NASTY},
    )
