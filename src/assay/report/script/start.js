/* Wires the page: controls, keys, the address, print. */

const byId = (id) => document.getElementById(id);

function drawColumns() {
  const drawn = index.columns.map((column) => make("label", {}, make("span", {}, column.name),
    make("select", { "data-key": column.key }, make("option", { value: "" }, "any"),
      column.values.map((value) => make("option", { value }, value)))));
  byId("by-columns").replaceChildren(...drawn);
}

function showPicked() {
  byId("by-words").value = picked.words;
  byId("by-set").value = picked.set;
  const system = index.systems.indexOf(picked.system);
  byId("by-system").value = system < 0 ? "" : String(system);
  byId("by-outcome").value = picked.outcome;
  byId("by-sort").value = picked.sort;
  for (const select of byId("by-columns").querySelectorAll("select")) {
    const only = picked.only.find((one) => one.startsWith(`${select.dataset.key}=`));
    select.value = only ? only.slice(select.dataset.key.length + 1) : "";
  }
}

function readControls() {
  picked.words = byId("by-words").value;
  picked.set = byId("by-set").value;
  picked.system = index.systems[byId("by-system").value] ?? "";
  picked.outcome = byId("by-outcome").value;
  picked.sort = byId("by-sort").value;
  picked.only = [...byId("by-columns").querySelectorAll("select")].filter((select) => select.value)
    .map((select) => `${select.dataset.key}=${select.value}`);
  refresh(true);
}

const LIST_KEYS = {
  ArrowDown: () => shown.at + 1, ArrowUp: () => shown.at - 1, PageDown: () => shown.at + PAGE,
  PageUp: () => shown.at - PAGE, Home: () => 0, End: () => shown.found.length - 1,
};

function onListKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in LIST_KEYS) {
    event.preventDefault();
    openAt(LIST_KEYS[event.key](), true);
  } else if (event.key === "Enter") {
    event.preventDefault();
    byId("detail").focus();
  }
}

function onAnyKey(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    byId("by-words").focus();
  } else if (event.key === "Escape" && byId("detail").contains(event.target)) byId("list").focus();
  else if (event.key === "ArrowDown" && event.target.id === "by-words") {
    event.preventDefault();
    byId("list").focus();
  }
}

function followAddress() {
  const asked = readAddress();
  if (!asked) return;
  showPicked();
  refresh(false);
  if (asked.question !== null) openById(asked.question);
  const onPhone = window.matchMedia("(max-width: 56rem)").matches;
  byId(onPhone && asked.question !== null ? "detail" : "questions").scrollIntoView({ behavior: "instant" });
}

function wire() {
  let wait = 0;
  byId("controls").addEventListener("input", (event) => {
    clearTimeout(wait);
    wait = setTimeout(readControls, event.target.id === "by-words" ? 120 : 0);
  });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("reset", () => setTimeout(readControls, 0));
  byId("list").addEventListener("keydown", onListKey);
  byId("list").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    openAt(Number(item.dataset.place), true);
    if (byId("detail").getBoundingClientRect().top > window.innerHeight * 0.6) byId("detail").scrollIntoView();
  });
  byId("detail").addEventListener("click", (event) => {
    if (event.target.id === "back") byId("controls").scrollIntoView();
  });
  byId("earlier").addEventListener("click", () => openAt((Math.floor(shown.at / PAGE) - 1) * PAGE, true));
  byId("later").addEventListener("click", () => openAt((Math.floor(shown.at / PAGE) + 1) * PAGE, true));
  byId("save").addEventListener("click", () => {
    const link = make("a", { href: URL.createObjectURL(new Blob([csvOfFound()], { type: "text/csv" })),
      download: "questions.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  document.addEventListener("keydown", onAnyKey);
  window.addEventListener("hashchange", followAddress);
}

window.addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("main details")) folded.open = true;
});

if (byId("questions-index")) {
  byId("controls").hidden = byId("browser").hidden = false;
  unpack("questions-index", (value) => {
    index = value;
    drawColumns();
    wire();
    refresh(false);
    followAddress();
    document.documentElement.dataset.ready = "yes";
  });
}
