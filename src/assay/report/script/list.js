/* The list of questions found: a page at a time, walked with the arrow keys. */

const PAGE = 50;
const shown = { found: [], at: 0, number: null };

function row(number, place) {
  const system = index.systems.indexOf(picked.system);
  const codes = index.outcomes.map((outcomes) => outcomes[number]);
  const [sign, word] = system >= 0 ? OUTCOMES[codes[system]] : [
    `${codes.filter((code) => code === "r").length}/${codes.filter((code) => code !== "-").length}`, "systems right"];
  const published = SETS[index.published[number]], made = SETS[index.made[number]];
  const set = published && made && made !== published ? `${published}, ${made} here` : published || made;
  return make("li", { role: "option", id: `row-${number}`, "data-place": place, "aria-selected": String(number === shown.number) },
    make("span", { class: "sign", title: word, "aria-label": `${sign} ${word}` }, sign),
    make("span", { class: "words" }, index.stem[number]),
    make("small", {}, [index.id[number], set].filter(Boolean).join(" · ")));
}

function drawList() {
  const list = document.getElementById("list"), total = shown.found.length;
  const first = Math.floor(shown.at / PAGE) * PAGE;
  list.replaceChildren(...shown.found.slice(first, first + PAGE).map((number, i) => row(number, first + i)));
  const last = Math.min(first + PAGE, total);
  const said = total === index.id.length ? `${total.toLocaleString("en")} questions` :
    `${total.toLocaleString("en")} of ${index.id.length.toLocaleString("en")} questions`;
  const found = document.getElementById("found");
  if (found.textContent !== said) found.textContent = said;
  document.getElementById("page-number").textContent = total ? `${first + 1}–${last}` : "none";
  document.getElementById("earlier").disabled = first === 0;
  document.getElementById("later").disabled = last >= total;
  list.scrollTop = 0;
  markSelected();
}

function markSelected() {
  const list = document.getElementById("list");
  for (const item of list.children) {
    const selected = item.id === `row-${shown.number}`;
    if (item.getAttribute("aria-selected") !== String(selected)) item.setAttribute("aria-selected", String(selected));
    if (selected) {
      const above = item.offsetTop, below = above + item.offsetHeight;
      if (above < list.scrollTop) list.scrollTop = above;
      else if (below > list.scrollTop + list.clientHeight) list.scrollTop = below - list.clientHeight;
    }
  }
  const there = document.getElementById(`row-${shown.number}`);
  if (there) list.setAttribute("aria-activedescendant", there.id);
  else list.removeAttribute("aria-activedescendant");
}

function redrawFrom(place) {
  const page = Math.floor(shown.at / PAGE);
  shown.at = Math.max(0, Math.min(place, shown.found.length - 1));
  if (Math.floor(shown.at / PAGE) !== page) drawList();
}

function openAt(place, say) {
  if (!shown.found.length) return;
  redrawFrom(place);
  shown.number = shown.found[shown.at];
  markSelected();
  drawDetail(shown.number, shown.at);
  if (say) history.replaceState(null, "", addressOf(index.id[shown.number]));
}

/* After any change of the filters: list anew, keep the open question if it is still there. */
function refresh(say) {
  shown.found = findQuestions();
  const kept = shown.found.indexOf(shown.number);
  shown.at = Math.max(0, kept);
  drawList();
  if (kept >= 0) drawDetail(shown.number, kept);
  else if (shown.found.length) openAt(0, false);
  else {
    shown.number = null;
    document.getElementById("detail").replaceChildren(make("p", { class: "soft" }, "No question fits. Clear some of the filters."));
  }
  if (say) history.replaceState(null, "", addressOf(null));
}

function openById(id) {
  const number = index.id.indexOf(id);
  if (number < 0) {
    shown.number = null;
    markSelected();
    document.getElementById("detail").replaceChildren(make("p", { class: "warn" }, `There is no question ${id} in this report.`));
    return;
  }
  const place = shown.found.indexOf(number);
  if (place >= 0) return openAt(place, false);
  shown.number = number;
  markSelected();
  drawDetail(number, null);
}

/* Text that a spreadsheet would run as a formula is led by an apostrophe. */
function cell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^(?:[=+\-@\t\r\n|%]|\s*[=+\-@])/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvOfFound() {
  const heading = ["id", "published", "made", "stem", "key", "mean_points", ...index.systems];
  const rows = shown.found.map((i) => [index.id[i], SETS[index.published[i]], SETS[index.made[i]], index.stem[i],
    index.key[i], index.mean[i], ...index.outcomes.map((codes) => OUTCOMES[codes[i]][1])]);
  return [heading, ...rows].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
