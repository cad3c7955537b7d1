"""Three questions, and predictions for them in every format."""

import json

from assay.questions.model import Choice, Question, QuestionSet


def question(name: str, *texts: str, labels: str = "ABCDE", stem: str = "Which?") -> Question:
    return Question(
        name, stem, tuple(Choice(label, text) for label, text in zip(labels, texts, strict=False))
    )


K1 = question("k1", "wax", "slate", "clay", "tin")
K2 = question("k2", "3", "4", "5", "6", labels="1234")
K3 = question("k3", "bat", "newt", "eel")
SET = QuestionSet([K1, K2, K3])

GOOD = {
    "leaderboard": "k1,A;B\nk2,1\nk3,C\n",
    "table": "answer,note,id\nA;B,x,k1\n1,y,k2\nC,z,k3\n",
    "json": '{"k1": ["A", "B"],\n "k2": "1", "k3": "C"}\n',
    "jsonl": '{"id":"k1","pred":"A;B"}\n{"id":"k2","answer":["1"]}\n{"id":"k3","output":"Answer: C"}\n',
    "answers": '{"id":"k1","status":"answered","chosen":["B","A"]}\n'
    '{"id":"k2","scores":{"1":2.5,"2":0,"3":0,"4":0}}\n{"id":"k3","chosen":["C"]}\n',
    "arc-solvers": "".join(
        json.dumps(
            {
                "id": q.id,
                "question": {
                    "choices": [
                        {
                            "label": c.label,
                            "text": c.text,
                            "score": s,
                            "support": {"text": "so", "ir_score": 2.0},
                        }
                        for c, s in zip(q.choices, scores, strict=True)
                    ]
                },
                **selected,
            }
        )
        + "\n"
        for q, scores, selected in [
            (K1, (0.5, 0.5, 0.1, 0), {"selected_answers": "A,B"}),
            (K2, (0.9, 0, 0, 0), {}),
            (K3, (0, 0, 1), {"selected_answers": "C"}),
        ]
    ),
}

LOG_ITEMS = [
    {
        "doc_id": number,
        "doc": {
            "id": q.id,
            "question": q.stem,
            "choices": {"text": texts, "label": ["A", "B", "C", "D"][: len(texts)]},
        },
        "target": "0",
        "arguments": {f"gen_args_{n}": {"arg_0": "?", "arg_1": f" {text}"} for n, text in enumerate(texts)},
        "resps": [[[f"-{n}.5", "False"]] for n in range(len(texts))],
        "filtered_resps": [[f"-{n}.5", "False"] for n in range(len(texts))],
        "filter": "none",
    }
    for number, q in enumerate(SET)
    for texts in [[choice.text for choice in reversed(q.choices)]]
]
INSPECT_LOG = {
    "version": 2,
    "status": "success",
    "eval": {"task": "small"},
    "samples": [
        {
            "id": q.id,
            "epoch": 1,
            "input": q.stem,
            "choices": [choice.text for choice in q.choices],
            "output": {"choices": [{"message": {"content": "ANSWER: B"}, "stop_reason": "stop"}]},
            "scores": {"choice": {"value": "C", "answer": "B"}},
        }
        for q in SET
    ],
}
LOGS = {
    "lm-eval": "".join(json.dumps(item) + "\n" for item in LOG_ITEMS),
    "inspect": json.dumps(INSPECT_LOG, indent=1),
}
