/* The data in the page: unpacked when it is needed, block by block. */

const OUTCOMES = {
  r: ["✓", "right"], t: ["½", "tied"], w: ["✗", "wrong"], a: ["•", "answered"], u: ["–", "no answer"],
  e: ["∅", "empty"], p: ["?", "unparsed"], f: ["⊘", "refused"], "-": ["·", "not asked"],
};
const SETS = { E: "Easy", C: "Challenge" };

/* Text only, always: nothing that a question holds is ever read as markup. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflated(bytes) {
  if (typeof DecompressionStream === "function") {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }
  return new TextDecoder().decode(inflate(bytes));
}

const unpacked = new Map();

/* Calls `use` with the block's value: at once if it is plain or known, else when it is unpacked. */
function unpack(name, use) {
  if (unpacked.has(name)) return use(unpacked.get(name));
  const block = document.getElementById(name);
  const keep = (text) => {
    if (!unpacked.has(name)) unpacked.set(name, JSON.parse(text));
    use(unpacked.get(name));
  };
  if (block.dataset.form === "plain") return keep(block.textContent);
  return inflated(bytesOf(block.textContent)).then(keep).catch((error) => {
    document.getElementById("found").textContent = `The questions can't be unpacked: ${error.message}`;
  });
}

let index = null;

function detailOf(number, use) {
  unpack(`questions-${Math.floor(number / index.block)}`, (block) => use(block[number % index.block]));
}
