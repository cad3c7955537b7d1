"""Explanations: the facts that people named as the reasons for a question's right answer.

WorldTree (Jansen et al. 2018, Xie et al. 2020) and EntailmentBank (Dalvi et al. 2021), both of ARC questions.
"""

from assay.questions.explanations.explanation import Explanation, Explanations, Fact, Step
from assay.questions.explanations.joining import Joined, join, of_own_facts, without_twins
from assay.questions.explanations.reading import read_explanations

__all__ = [
    "Explanation",
    "Explanations",
    "Fact",
    "Joined",
    "Step",
    "join",
    "of_own_facts",
    "read_explanations",
    "without_twins",
]
