/* Which questions are listed, and in what order. What is picked stands in the address, so that it can be sent. */

const picked = { words: "", set: "", system: "", outcome: "", sort: "", only: [] };
let haystack = null;

function findable(number) {
  if (!haystack) {
    haystack = index.id.map((id, i) =>
      [id, index.stem[i], ...index.choices[i].map((choice) => choice[1])].join("\n").toLowerCase());
  }
  return haystack[number];
}

function inSet() {
  const [basis, letter] = picked.set.split(":");
  if (picked.set === "") return () => true;
  if (picked.set === "moved") {
    return (i) => index.published[i] !== "-" && index.made[i] !== "-" && index.published[i] !== index.made[i];
  }
  if (picked.set === "suspect") {
    const suspects = new Set(index.suspect);
    return (i) => suspects.has(i);
  }
  return (i) => index[basis][i] === letter;
}

function byOutcome() {
  if (!picked.outcome) return () => true;
  const number = index.systems.indexOf(picked.system);
  const systems = number < 0 ? index.outcomes : [index.outcomes[number]];
  return (i) => systems.some((codes) => picked.outcome.includes(codes[i]));
}

function byColumns() {
  const tests = picked.only.map((only) => {
    const cut = only.indexOf("=");
    const column = index.columns.find((one) => one.key === only.slice(0, cut));
    if (!column) return () => true;
    const place = column.values.indexOf(only.slice(cut + 1));
    return (i) => column.of[i].includes(place);
  });
  return (i) => tests.every((test) => test(i));
}

function disputed(i) {
  const mean = index.mean[i];
  return mean === null ? -1 : mean * (1 - mean);
}

const ORDERS = {
  hard: (a, b) => (index.mean[a] ?? 2) - (index.mean[b] ?? 2),
  easy: (a, b) => (index.mean[b] ?? -1) - (index.mean[a] ?? -1),
  split: (a, b) => disputed(b) - disputed(a),
  id: (a, b) => (index.id[a] < index.id[b] ? -1 : 1),
  long: (a, b) => index.stem[b].length - index.stem[a].length,
};

function findQuestions() {
  const words = picked.words.toLowerCase().split(/\s+/).filter(Boolean);
  const tests = [inSet(), byOutcome(), byColumns()];
  const found = [];
  for (let i = 0; i < index.id.length; i += 1) {
    if (tests.every((test) => test(i)) && words.every((word) => findable(i).includes(word))) found.push(i);
  }
  const order = ORDERS[picked.sort];
  return order ? found.sort((a, b) => order(a, b) || a - b) : found;
}

function readAddress() {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return null;
  const asked = new URLSearchParams(hash.replaceAll("+", "%2B"));
  for (const name of ["words", "set", "system", "outcome", "sort"]) picked[name] = asked.get(name) ?? "";
  picked.only = asked.getAll("only");
  return { question: asked.get("q") };
}

function addressOf(id) {
  const parts = id === null ? [] : [`q=${encodeURIComponent(id)}`];
  for (const name of ["words", "set", "system", "outcome", "sort"]) {
    if (picked[name]) parts.push(`${name}=${encodeURIComponent(picked[name])}`);
  }
  for (const only of picked.only) parts.push(`only=${encodeURIComponent(only)}`);
  return `#${parts.join("&") || "questions"}`;
}
