/* One question: choices, what every system said, and why. */

function shortNumber(value) {
  if (typeof value !== "number") return value === null || value === undefined ? "–" : String(value);
  const said = Math.abs(value) >= 100 ? value.toFixed(1) : Math.abs(value) >= 1 ? value.toFixed(2) : value.toFixed(3);
  return said.replace("-", "−");
}

function badge(text, kind) {
  return make("span", { class: `badge ${kind}` }, text);
}

function drawDetail(number, place) {
  detailOf(number, (detail) => {
    if (shown.number !== number) return;
    const box = document.getElementById("detail");
    box.replaceChildren(
      detailHead(number, place),
      make("p", { class: "stem" }, index.stem[number]),
      drawChoices(number, detail),
      detail.why ? make("p", { class: "why" }, detail.why) : "",
      drawAnswers(number, detail),
      ...drawEvidence(number, detail),
      ...drawAbout(detail),
    );
  });
}

function detailHead(number, place) {
  const id = index.id[number];
  const sets = ["published", "made"].filter((basis) => index[basis][number] !== "-").map((basis) => {
    const name = SETS[index[basis][number]];
    return badge(`${name} (${basis})`, name.toLowerCase());
  });
  if (index.suspect.includes(number)) sets.push(badge("suspect key", "warn"));
  return make("header", {},
    make("h3", {}, make("a", { href: `#q=${encodeURIComponent(id)}`, title: "The address of this question" }, id)),
    make("p", { class: "badges" }, sets),
    make("p", { class: "walk" },
      make("button", { type: "button", id: "back", class: "phone-only" }, "Back to the list"),
      make("span", { class: "soft" }, place === null ? "not in the list" : `${(place + 1).toLocaleString("en")} of ${shown.found.length.toLocaleString("en")}`)));
}

function drawChoices(number, detail) {
  const key = index.key[number];
  const said = (detail.answers || []).filter(Boolean);
  const rows = index.choices[number].map(([label, text]) => {
    const names = said.filter((answer) => (answer.chosen || []).includes(label)).length;
    return make("li", { class: label === key ? "is-key" : null },
      make("b", { class: "label" }, label), make("span", {}, text),
      make("span", { class: "soft" }, label === key ? "the key · " : "", `chosen by ${names} of ${said.length}`));
  });
  return make("ol", { class: "choices", "aria-label": "Choices, with the number of systems that chose each" }, rows);
}

function drawAnswers(number, detail) {
  const labels = index.choices[number].map((choice) => choice[0]);
  const key = index.key[number];
  const heads = ["System", "Outcome", "Chosen", "Points"].map((name, i) =>
    make("th", { scope: "col", class: i === 3 ? "number" : null }, name));
  const anyScore = (detail.answers || []).some((answer) => answer && (answer.scores || answer.probabilities));
  if (anyScore) {
    heads.push(...labels.map((label) =>
      make("th", { scope: "col", class: "number" }, label === key ? `${label} (key)` : label)));
  }
  const rows = (detail.answers || []).map((answer, i) => {
    const [sign, word] = OUTCOMES[index.outcomes[i][number]];
    const chosen = (answer && answer.chosen) || [];
    const values = answer && (answer.scores || answer.probabilities);
    const cells = [
      make("td", {}, make("span", { class: "sign", "aria-hidden": "true" }, sign), ` ${word}`),
      make("td", {}, chosen.length === labels.length && chosen.length > 1 ? "all" : chosen.join(", ") || "–"),
      make("td", { class: "number" }, answer && typeof answer.points === "number" ? answer.points.toFixed(2) : "–"),
    ];
    if (anyScore) {
      cells.push(...labels.map((label, c) => make("td", { class: chosen.includes(label) ? "number chosen" : "number" },
        values ? shortNumber(values[c]) : "")));
    }
    return make("tr", { class: index.systems[i] === picked.system ? "current" : null },
      make("th", { scope: "row" }, index.systems[i]), cells);
  });
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What every system said" },
    make("table", { class: "answers" },
      make("caption", {}, make("span", { class: "caption" },
        anyScore ? "What every system said; score per choice, chosen underlined" : "What every system said")),
      make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)));
}

function drawEvidence(number, detail) {
  const drawn = [];
  (detail.answers || []).forEach((answer, i) => {
    if (!answer || !(answer.sentences || answer.pairs || answer.graphs || (answer.replies || []).length)) return;
    const rows = index.choices[number].map(([label, text], c) => make("li", {},
      make("p", {}, make("b", { class: "label" }, label), make("span", {}, text),
        answer.scores ? make("span", { class: "soft number" }, shortNumber(answer.scores[c])) : null),
      ((answer.sentences || [])[c] || []).map(([sentence, score, source, role]) => make("blockquote", {}, sentence,
        make("small", {}, [role === "best" ? "" : role, source, shortNumber(score)].filter(Boolean).join(" · ")))),
      drawPairs(((answer.pairs || [])[c]) || []), ((answer.graphs || [])[c] || []).map(drawGraph)));
    const replies = (answer.replies || []).map((reply) => make("pre", { class: "reply" }, reply));
    const bare = !(answer.sentences || answer.pairs || answer.graphs);
    drawn.push(make("details", { open: drawn.length < 2 || index.systems[i] === picked.system },
      make("summary", {}, bare ? `The reply of ${index.systems[i]}` : `Why ${index.systems[i]} says so`),
      replies, bare ? null : make("ol", { class: "evidence" }, rows)));
  });
  return drawn;
}

function drawPairs(pairs) {
  if (!pairs.length) return null;
  return make("ul", { class: "pairs", "aria-label": "Strongest n-gram pairs, with PMI" }, pairs.map(([x, y, pmi, count]) =>
    make("li", { title: `seen together ${count.toLocaleString("en")} times` }, `${x} ~ ${y} `, make("b", {}, shortNumber(pmi)))));
}

function drawAbout(detail) {
  const pairs = [...(detail.facts || []).map((fact) => ["fact", fact]), ...(detail.about || [])];
  if (!pairs.length) return [];
  return [make("dl", { class: "about" }, pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]))];
}
