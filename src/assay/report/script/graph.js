/* A support graph: terms of the question on the left, facts in the middle, the choice on the right. */

/* The name is asked of the browser: the page holds no address, so that a reader can see it asks for none. */
const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstChild.namespaceURI;
const GRAPH = { width: 760, line: 22, left: 150, fact: 200, wide: 350, right: 610, gap: 20 };

/* Text only here too: attributes and text nodes, never markup. */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/* Where each node stands: its row of the drawing, and the ends on its left and right. */
function placed(graph) {
  const at = new Array(graph.nodes.length), boxes = [];
  let y = GRAPH.gap;
  graph.facts.forEach(([, source], fact) => {
    const inside = graph.nodes.map((node, i) => [node, i]).filter(([node]) => node[0] === "fact" && node[3] === fact);
    const box = { y, source, height: GRAPH.line * (inside.length + 1) + 6 };
    inside.forEach(([, i], n) => {
      at[i] = { y: y + GRAPH.line * (n + 1.5), left: GRAPH.fact, right: GRAPH.fact + GRAPH.wide };
    });
    boxes.push(box);
    y += box.height + GRAPH.gap;
  });
  const height = Math.max(y, GRAPH.gap * 2 + GRAPH.line * 1.5 * graph.nodes.filter((node) => node[0] === "term").length);
  for (const [kind, left, right] of [["term", 0, GRAPH.left], ["choice", GRAPH.right, GRAPH.width]]) {
    const some = graph.nodes.map((node, i) => [node, i]).filter(([node]) => node[0] === kind);
    some.forEach(([, i], n) => {
      at[i] = { y: (height * (n + 0.5)) / some.length, left, right };
    });
  }
  return { at, boxes, height };
}

function drawEdge([source, target, weight, label], graph, at) {
  let [one, other] = [at[source], at[target]];
  if (one.left > other.left) [one, other] = [other, one];
  const within = one.left === other.left;
  const from = one.right, to = within ? other.right : other.left, bend = within ? 60 : (to - from) / 2;
  const path = within
    ? `M${from},${one.y} C${from + bend},${one.y} ${to + bend},${other.y} ${to},${other.y}`
    : `M${from},${one.y} C${from + bend},${one.y} ${to - bend},${other.y} ${to},${other.y}`;
  const said = `${graph.nodes[source][1]} – ${graph.nodes[target][1]}: ${shortNumber(weight)}${label ? ` (${label})` : ""}`;
  return draw("path", { d: path, class: within ? "edge across" : "edge", "stroke-width": Math.max(1, Math.min(4, 3 * weight)).toFixed(1) },
    draw("title", {}, said));
}

function drawNode([kind, text, part], place) {
  const end = kind === "term" ? "end" : "start";
  const x = kind === "term" ? place.right - 6 : place.left + 8;
  const written = [draw("tspan", { class: kind === "choice" ? "chosen" : null }, cut(text, kind === "fact" ? 34 : 17))];
  if (part) written.push(draw("tspan", { class: "part", dx: 8 }, cut(part, Math.max(6, 46 - Math.min(34, text.length)))));
  return draw("text", { x, y: place.y + 4, "text-anchor": end }, written,
    draw("title", {}, part ? `${part}: ${text}` : text));
}

function drawBox(box) {
  return [draw("rect", { x: GRAPH.fact, y: box.y, width: GRAPH.wide, height: box.height, rx: 4, class: "fact" }),
    draw("text", { x: GRAPH.fact + 8, y: box.y + 16, class: "source" }, cut(box.source || "", 48))];
}

function drawGraph(graph) {
  const status = graph.status === "optimal" ? "" : graph.status;
  if (!graph.nodes.length) return make("p", { class: "soft" }, status);
  const { at, boxes, height } = placed(graph);
  const picture = draw("svg", { viewBox: `0 0 ${GRAPH.width} ${height}`, role: "img", class: "graph",
    "aria-label": `Support graph: ${graph.edges.length} links over ${graph.facts.length} facts` },
    boxes.flatMap(drawBox), graph.edges.map((edge) => drawEdge(edge, graph, at)),
    graph.nodes.map((node, i) => drawNode(node, at[i])));
  return make("figure", { class: "support" }, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Support graph" }, picture),
    make("figcaption", {}, graph.facts.map(([text, source, line]) => make("blockquote", {}, text,
      make("small", {}, [source, line ? `line ${line}` : "", status].filter(Boolean).join(" · "))))));
}
