"use strict";
(() => {
const STATUS = ["unknown", "covered", "pending", "infeasible", "deselected", "duplicate", "subsumed"];
const SHOWN = ["covered", "unknown", "infeasible", "duplicate", "subsumed"];
const SIGN = {covered: "✓", unknown: "○", infeasible: "∅", duplicate: "≡", subsumed: "⊂", deselected: "–"};
const PAGE = 200; // rows of a list made at a time
const $ = (id) => document.getElementById(id);
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})[c]);
const prose = (s) => esc(s).replace(/-&gt;/g, '<span class="nb">-&gt;</span>'); // a line does not end within an arrow
const percent = (a, b) => b > 0 ? (a === b ? 100 : Math.min(99.9, 100 * a / b)).toFixed(1) + " %" : "–";
const main = $("main");
let D, labels, byId, byPlace, shown, open = new Set(), sort = {key: "open", down: true}, showTest = new Map();
const want = {status: new Set(SHOWN), criterion: "", text: ""};

// load turns the compact rows of the data into objects.
function load(data) {
  D = data;
  const S = D.strings;
  labels = D.labels.map((r) => ({id: r[0], file: r[1], line: r[2], column: r[3], status: STATUS[r[4]] || "unknown", criteria: S[r[5]], predicate: r[6],
    fn: r[7], reason: S[r[8]], tests: r[9] || [], more: r[10] || 0, tried: (r[11] || []).map((i) => S[i]), of: r[12], macro: S[r[13] || 0]}));
  byId = new Map(labels.map((l) => [l.id, l]));
  byPlace = new Map();
  for (const l of labels) {
    const key = l.file + ":" + l.line;
    if (!byPlace.has(key)) byPlace.set(key, []);
    byPlace.get(key).push(l);
  }
  document.querySelector('[data-view="decisions"]').hidden = !D.decisions;
  filter();
}

function filter() {
  const text = want.text.toLowerCase();
  shown = labels.filter((l) => (want.status.has(l.status) || !SHOWN.includes(l.status)) && (!want.criterion || l.criteria.split(" ").includes(want.criterion)) &&
    (!text || (l.predicate + " " + D.functions[l.fn].name + " " + D.files[l.file].name + ":" + l.line + " #" + l.id + " " + l.reason).toLowerCase().includes(text)));
}

function count(list) {
  const n = {total: 0};
  for (const l of list) if (l.status !== "deselected") { n.total++; n[l.status] = (n[l.status] || 0) + 1; }
  return n;
}
const feasible = (n) => n.total - (n.infeasible || 0);
const openIn = (n) => feasible(n) - (n.covered || 0);
const bar = (n, cls = "") => `<div class="bar ${cls}" role="img" aria-label="${esc(percent(n.covered || 0, feasible(n)))} covered">` +
  SHOWN.filter((s) => n[s]).map((s) => `<i class="b-${s}" style="flex:${n[s]}" title="${n[s]} ${s}"></i>`).join("") + "</div>";
const name = (s) => esc(s).replace(/_+|[a-z](?=[A-Z])/g, "$&<wbr>"); // where a long one may end a line
const pill = (s) => `<b class="c-${s}">${SIGN[s] || ""} ${s}</b>`;
const sourceLink = (l) => `#source/${l.file}/${l.line}`;

// views

const views = {
  overview() {
    const n = {total: 0}, s = D.summary; // of decisions conditions count, not the rows of their tables
    for (const f of D.files) for (const k of Object.keys(f.n)) n[k] = (n[k] || 0) + f.n[k];
    const groups = D.functions.map((f, i) => ({f, i, n: f.n}));
    main.innerHTML = `<div class="hero"><strong>${percent(n.covered || 0, feasible(n))}</strong>
      <span>${n.covered || 0} of ${feasible(n)} labels that are not proved infeasible are covered<br>
      <span class="soft">${esc(s.line)}</span></span></div>${bar(n)}
      <ul class="legend">${SHOWN.map((k) => `<li><a class="c-${k}" href="#labels/${k}">${SIGN[k]} ${n[k] || 0} ${k}</a></li>`).join("")}</ul>` +
      (s.alerts || []).map((t) => `<p class="note bad">${esc(t)}</p>`).join("") +
      `<div class="cols"><section><h2>Functions</h2><div class="treemap" id="map"></div></section>
      <section><h2>Criteria</h2><table><tbody>${D.criteria.map((c) => `<tr><td>${esc(c.name)}</td><td style="width:45%">${bar(c, "thin")}</td>
        <td class="num">${c.covered || 0}/${feasible(c)}</td><td class="num">${percent(c.covered || 0, feasible(c))}</td></tr>`).join("")}</tbody></table>
      ${curve()}${runs()}</section></div><h2>All functions</h2><div class="scroll" id="functions"></div>` +
      (s.notes || []).map((t) => `<p class="note">${esc(t)}</p>`).join("");
    treemap($("map"), groups);
    functionTable($("functions"), groups);
  },

  source(args) {
    const file = Math.min(Number(args[0] || 0), D.files.length - 1), line = Number(args[1] || 0);
    if (file < 0) { main.innerHTML = `<p class="soft">There is no source.</p>`; return; }
    const f = D.files[file], visible = new Set(shown), lines = f.text ? f.text.split("\n") : [];
    const numbers = labels.filter((l) => l.file === file).map((l) => l.line);
    const last = Math.max(lines.length, ...numbers, 0);
    const colour = highlighter();
    const out = [];
    for (let i = 1; i <= last; i++) {
      const here = (byPlace.get(file + ":" + i) || []).filter((l) => visible.has(l));
      if (!f.text && !here.length) continue;
      const n = count(here);
      const state = !n.total ? "" : openIn(n) ? "open" : n.covered ? "done" : "none";
      out.push(`<div class="row ${state}${i === line ? " here" : ""}" id="L${i}"><span class="n">${i}</span>` +
        (here.length ? `<button class="m c-${state === "open" ? "unknown" : state === "done" ? "covered" : "infeasible"}" data-line="${i}" aria-expanded="false"
          aria-label="labels of line ${i}">${n.covered || 0}/${feasible(n)}</button>` : "<span></span>") +
        `<span class="t">${colour(lines[i - 1] || "")}</span></div>`);
    }
    main.innerHTML = filterBar() + `<div class="source"><div class="files" role="navigation" aria-label="Files">${fileList(file)}</div>
      <div class="code" data-file="${file}">${out.join("") || `<p class="soft">Nothing to show with these filters.</p>`}</div></div>`;
    if (!f.text) main.querySelector(".code").insertAdjacentHTML("afterbegin", `<p class="note">${esc(f.name)} could not be read: only its labelled lines are listed.</p>`);
    if (line) {
      toggleLine(line, true);
      const at = $("L" + line);
      if (at) centre(at);
    }
  },

  labels(args) {
    if (args[0] && SHOWN.includes(args[0])) { want.status = new Set([args[0]]); filter(); history.replaceState(null, "", "#labels"); }
    const one = args[0] && byId.get(Number(args[0]));
    if (one) { location.hash = sourceLink(one); return; }
    main.innerHTML = filterBar() + `<p class="soft">${shown.length} of ${labels.length} labels</p><div class="scroll"><table class="stack">
      <thead><tr><th class="num">label</th><th>status</th><th>criteria</th><th>place</th><th>predicate</th><th class="wide">test or reason</th></tr></thead>
      <tbody id="list"></tbody></table></div>`;
    paged($("list"), shown, (l) => `<tr tabindex="0" data-go="${sourceLink(l)}"><td class="num">${l.id}</td><td class="one">${pill(l.status)}</td><td>${esc(l.criteria)}</td>
      <td><a href="${sourceLink(l)}">${esc(D.files[l.file].name)}:${l.line}</a><br><span class="soft">${name(D.functions[l.fn].name)}</span></td>
      <td class="pred"><code>${prose(l.predicate)}</code></td><td class="wide">${l.status === "covered" ? l.tests.slice(0, 3).map((t) => esc(D.tests[t].name)).join(", ") : esc(l.reason)}</td></tr>`);
  },

  tests(args) {
    const text = want.text.toLowerCase();
    const list = D.tests.map((t, i) => ({t, i})).filter(({t}) => !text || (t.name + " " + t.entry + " " + t.outcome + " " + t.reason).toLowerCase().includes(text));
    main.innerHTML = `<div class="filters">${searchBox()}</div><p class="soft">${list.length} of ${D.tests.length} tests</p><div class="scroll"><table><thead><tr><th>test</th><th>entry</th>
      <th>ended</th><th class="num">labels</th><th class="num wide">found after</th><th class="wide">engine</th></tr></thead><tbody id="list"></tbody></table></div>`;
    paged($("list"), list, ({t, i}) => `<tr tabindex="0" data-test="${i}" id="T${i}"><td class="mono">${esc(t.name)}${t.kept ? "" : ` <span class="soft">not kept</span>`}</td><td class="name">${name(t.entry)}</td>
      <td class="${t.outcome === "normal" ? "" : "c-unknown"}">${esc(t.outcome)}</td><td class="num">${t.hits}</td>
      <td class="num wide">${t.at ? t.at.toFixed(2) + " s" : ""}</td><td class="wide">${esc(t.engine)}</td></tr>`);
    const at = args[0] && $("T" + args[0]);
    if (at) { toggleTest(at); centre(at); }
  },

  findings() {
    const list = D.findings || [];
    main.innerHTML = list.length ? `<h2>${list.length} ${list.length === 1 ? "error that a test shows" : "errors that tests show"}</h2><div class="cards plain">` + list.map((f) => `<div class="card l-unknown"><div class="head"><b>${esc(f.kind)}</b>
      ${f.source >= 0 ? `<a href="#source/${f.source}/${f.line}">${esc(f.place)}</a>` : `<span>${esc(f.place)}</span>`}<span class="soft">${f.count > 1 ? f.count + " tests" : ""}</span></div>
      ${f.message.startsWith(f.kind) && f.message.length - f.kind.length < 4 ? "" : `<p>${esc(f.message)}</p>`}${f.doubt ? `<p class="soft">doubtful: ${esc(f.doubt)}</p>` : ""}<p class="soft">${esc(f.test)} · <code>${esc(f.path)}</code></p></div>`).join("") + "</div>" :
      `<p class="soft">No test shows an error.</p>`;
  },

  decisions(args) {
    const text = want.text.toLowerCase(), all = D.decisions || [], at = args[0] === "at" ? args.slice(1).map(Number) : null;
    const list = all.filter((d) => (!at || d.file === at[0] && d.line === at[1]) && (!want.criterion || d.criterion === want.criterion) &&
      d.conditions.some((c) => want.status.has(c.status)) && (!text || (d.text + " " + (d.function || "") + " " + d.criterion).toLowerCase().includes(text)));
    main.innerHTML = filterBar(all.flatMap((d) => d.conditions)) + `<p class="soft">${list.length} of ${all.length} decisions${at ? ` · <a href="#decisions">every one</a>` : ""}</p><div id="list" class="cards plain"></div>`;
    paged($("list"), list, decision);
  },
};

// decision is the truth table of a decision, and for each condition the two rows
// between which it decides by itself.
function decision(d) {
  const pairs = new Map(); // rows to the conditions that they show
  d.conditions.forEach((c, i) => { if (c.pair) [c.pair.true, c.pair.false].forEach((id) => pairs.set(id, [...(pairs.get(id) || []), i + 1])); });
  const rows = d.rows || [], number = new Map(rows.map((r, i) => [r.label, i + 1]));
  const value = (v) => `<td class="v v-${v === "T" ? "t" : v === "F" ? "f" : "n"}">${v === "-" ? "·" : v}</td>`;
  const status = d.conditions.every((c) => c.status === "covered") ? "covered" : d.conditions.every((c) => c.status === "covered" || c.status === "infeasible") ? "infeasible" : "unknown";
  return `<div class="card decision l-${status}"><div class="head"><b>${esc(d.criterion)}</b>
    ${d.file >= 0 ? `<a href="#source/${d.file}/${d.line}">${esc(D.files[d.file].name)}:${d.line}</a>` : ""}<span class="soft">${esc(d.function || "")}</span>
    ${d.hyper ? "" : `<span class="soft">${d.conditions.filter((c) => c.status === "covered").length} of ${d.conditions.length} conditions shown</span>`}</div><code class="pred">${prose(d.text)}</code>
    ${d.note ? `<p class="note">${esc(d.note)}</p>` : ""}${d.folded ? `<p class="soft">constant: ${d.folded.map((t) => `<code>${esc(t)}</code>`).join(", ")}</p>` : ""}
    <div class="scroll"><table class="conditions"><thead><tr><th class="num">#</th><th>${d.hyper ? "wants" : "condition"}</th><th>status</th><th>${d.hyper ? "shown by, or reason" : "pair"}</th></tr></thead><tbody>${d.conditions.map((c, i) =>
    `<tr><td class="num">${i + 1}</td><td class="pred"><code>${prose(c.text)}</code></td><td class="one">${pill(c.status)}</td><td>${c.pair ?
      `rows ${number.get(c.pair.true)} and ${number.get(c.pair.false)} <span class="soft">${esc(c.pair.true_test)}, ${esc(c.pair.false_test)}</span>` : esc(c.reason || "")}</td></tr>`).join("")}</tbody></table></div>
    ${rows.length ? `<div class="scroll"><table class="truth${d.hyper ? " hyper" : ""}" style="--values:${d.conditions.length + 1}"><thead><tr>${d.hyper ? `<th class="num">label</th>` : `<th class="num">row</th>${d.conditions.map((c, i) => `<th title="${esc(c.text)}">${i + 1}</th>`).join("")}<th title="outcome"><span class="wide">outcome</span><span class="narrow">=</span></th><th>shows</th>`}<th>status</th><th>tests or reason</th></tr></thead><tbody>${rows.map((r, i) =>
    `<tr class="${pairs.has(r.label) ? "paired" : ""}">${d.hyper ? `<td class="num">${r.label}</td>` : `<td class="num">${i + 1}</td>${[...r.values].map(value).join("")}${value(r.outcome ? "T" : "F")}<td>${(pairs.get(r.label) || []).join(", ")}</td>`}
      <td class="one">${r.status === "deselected" ? `<span class="soft">not needed</span>` : pill(r.status)}</td><td>${r.tests ? esc(r.tests.join(", ")) + (r.more ? ` and ${r.more} more` : "") : `<span class="soft">${esc(r.reason || "")}</span>`}</td></tr>`).join("")}</tbody></table></div>` : ""}</div>`;
}

// parts

function filterBar(list = labels) {
  const n = count(list);
  return `<div class="filters" role="search">${SHOWN.map((s) => `<button data-status="${s}" aria-pressed="${want.status.has(s)}" class="c-${s}">${SIGN[s]} ${s} ${n[s] || 0}</button>`).join("")}
    <select id="criterion" aria-label="Criterion"><option value="">every criterion</option>${D.criteria.map((c) => `<option${c.name === want.criterion ? " selected" : ""}>${esc(c.name)}</option>`).join("")}</select>
    ${searchBox()}</div>`;
}
const searchBox = () => `<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" value="${esc(want.text)}">`;

function fileList(current) {
  const out = [];
  D.files.forEach((f, i) => {
    out.push(`<a href="#source/${i}"${i === current ? ` aria-current="true"` : ""}><span>${esc(f.name)}</span><span class="num">${percent(f.n.covered || 0, feasible(f.n))}</span>${bar(f.n, "thin")}</a>`);
    if (i === current) D.functions.forEach((g) => {
      if (g.file === i && g.n.total) out.push(`<a class="fn" href="#source/${i}/${g.line}"><span>${name(g.name)}</span><span class="num ${openIn(g.n) ? "c-unknown" : "c-covered"}">${g.n.covered || 0}/${feasible(g.n)}</span></a>`);
    });
  });
  return out.join("");
}

function card(l) {
  const tests = l.tests.map((t) => `<button data-show="${t}" data-label="${l.id}" aria-expanded="${showTest.get(l.id) === t}">${esc(D.tests[t].name)}</button>`).join("");
  const t = showTest.get(l.id);
  return `<div class="card l-${l.status}" id="label-${l.id}"><div class="head">${pill(l.status)}<span>#${l.id}</span><span>${esc(l.criteria)}</span>
    <span class="soft">${esc(D.functions[l.fn].name)}, column ${l.column}${l.macro ? `, in the macro ${esc(l.macro)}` : ""}</span></div>
    <code class="pred">${prose(l.predicate)}</code>` +
    (l.reason ? `<p>${l.status === "infeasible" ? "<b>Proof</b> " : ""}${prose(l.reason)}</p>` : "") +
    (l.of !== null ? `<p class="soft">stands behind <a href="#labels/${l.of}">label ${l.of}</a></p>` : "") +
    l.tried.map((s) => `<p class="soft">tried: ${prose(s)}</p>`).join("") +
    (tests ? `<div class="tests"><span class="soft">covered by</span>${tests}${l.more ? `<span class="soft">and ${l.more} more</span>` : ""}</div>` : "") +
    (t !== undefined ? `<pre>${esc(D.tests[t].c || "This test is not kept as C: " + D.tests[t].file)}</pre>` : "") + "</div>";
}

function toggleLine(n, only) {
  const row = $("L" + n), button = row && row.querySelector(".m[data-line]");
  if (!button) return;
  const next = row.nextElementSibling;
  if (next && next.classList.contains("cards")) {
    if (!only) { next.remove(); button.setAttribute("aria-expanded", "false"); }
    return;
  }
  const file = Number(row.parentElement.dataset.file), visible = new Set(shown);
  const here = byPlace.get(file + ":" + n).filter((l) => visible.has(l));
  row.insertAdjacentHTML("afterend", `<div class="cards">${(D.decisions || []).some((d) => d.file === file && d.line === n) ?
    `<a href="#decisions/at/${file}/${n}">Truth tables of this line</a>` : ""}${here.map(card).join("")}</div>`);
  button.setAttribute("aria-expanded", "true");
}

function toggleTest(row) {
  const next = row.nextElementSibling;
  if (next && next.classList.contains("test")) { next.remove(); return; }
  const i = Number(row.dataset.test), t = D.tests[i];
  const hit = labels.filter((l) => l.tests.includes(i));
  row.insertAdjacentHTML("afterend", `<tr class="test"><td colspan="6">${t.reason ? `<p>${esc(t.reason)}</p>` : ""}<p class="soft"><code>${esc(t.file)}</code></p>
    ${t.c ? `<pre>${esc(t.c)}</pre>` : ""}${hit.length ? `<p>Covers ${hit.slice(0, 60).map((l) => `<a href="${sourceLink(l)}" title="${esc(l.predicate)}">${l.id}</a>`).join(", ")}${hit.length > 60 ? " and more" : ""}</p>` : ""}</td></tr>`);
}

// centre scrolls to an element. Rows far away have the height of one line until they
// are near: where some take more, the place is another one after the first frames.
function centre(at) {
  const go = () => at.isConnected && at.scrollIntoView({block: "center"});
  go();
  requestAnimationFrame(() => { go(); requestAnimationFrame(go); });
}

// paged makes the first rows now and the others when they are wanted.
function paged(body, list, row) {
  let done = 0;
  const table = body.closest("table"), whole = table ? table.parentElement : body;
  const step = () => {
    body.insertAdjacentHTML("beforeend", list.slice(done, done + PAGE).map(row).join(""));
    done += PAGE;
    const old = whole.nextElementSibling;
    if (old && old.matches(".more")) old.remove();
    if (done >= list.length) return;
    whole.insertAdjacentHTML("afterend", `<button class="more">${list.length - done} more</button>`);
    const more = whole.nextElementSibling;
    more.onclick = step;
    new IntersectionObserver((es, o) => { if (es.some((e) => e.isIntersecting)) { o.disconnect(); if (more.isConnected) step(); } }, {rootMargin: "600px"}).observe(more);
  };
  step();
}

function functionTable(at, groups) {
  const key = {name: (g) => g.f.name, file: (g) => (D.files[g.f.file] || {name: ""}).name, labels: (g) => g.n.total, covered: (g) => g.n.covered || 0, open: (g) => openIn(g.n), tests: (g) => g.f.tests, coverage: (g) => feasible(g.n) ? (g.n.covered || 0) / feasible(g.n) : 2}[sort.key];
  const list = groups.slice().sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : 0) * (sort.down ? -1 : 1); });
  const head = (k, title, cls = "") => `<th class="${cls}"><button data-sort="${k}">${title}${sort.key === k ? (sort.down ? " ↓" : " ↑") : ""}</button></th>`;
  at.innerHTML = `<table><thead><tr>${head("name", "function")}${head("file", "file", "wide")}${head("labels", "labels", "num")}${head("covered", "covered", "num")}${head("open", "open", "num")}${head("tests", "tests", "num wide")}
    <th class="wide"></th>${head("coverage", "coverage", "num")}</tr></thead><tbody id="list"></tbody></table>`;
  paged($("list"), list, ({f, n}) => `<tr tabindex="0" data-go="#source/${f.file}/${f.line}"><td>${f.static ? `<span class="soft">static</span> ` : ""}${name(f.name)}
    ${f.reason ? `<br><span class="soft">${f.status !== "done" ? esc(f.status) + ": " : ""}${prose(f.reason)}</span>` : ""}${entries(f)}</td>
    <td class="wide">${f.file >= 0 ? esc(D.files[f.file].name) : ""}</td><td class="num">${n.total}</td><td class="num">${n.covered || 0}</td>
    <td class="num${openIn(n) ? " c-unknown" : ""}">${openIn(n)}</td><td class="num wide">${f.tests}</td><td class="wide" style="width:16%">${bar(n, "thin")}</td><td class="num">${percent(n.covered || 0, feasible(n))}</td></tr>`);
  at.onclick = (e) => {
    const b = e.target.closest("[data-sort]");
    if (!b) return;
    sort = {key: b.dataset.sort, down: sort.key === b.dataset.sort ? !sort.down : b.dataset.sort !== "name" && b.dataset.sort !== "coverage"};
    functionTable(at, groups);
  };
}

const entries = (f) => !f.entries ? "" : `<details><summary class="soft">${f.entries.length} ${f.entries.length === 1 ? "entry" : "entries"}</summary>` +
  f.entries.map((e) => `<p class="soft">${esc(e.name)}: ${e.tests} tests${e.complete ? ", every path seen" : ""}${e.reason ? ", " + esc(e.reason) : ""}${(e.narrowed || []).length ? ", not within: " + prose(e.narrowed.join("; ")) : ""}</p>`).join("") + "</details>";

// treemap draws areas in proportion to labels, rows as square as may be (Bruls,
// Huizing, van Wijk, "Squarified treemaps", 2000).
function treemap(at, groups) {
  const W = at.clientWidth || 600, H = at.clientHeight || 260;
  let items = groups.filter((g) => g.n.total).sort((a, b) => b.n.total - a.n.total);
  if (!items.length) { at.innerHTML = `<p class="soft" style="padding:.5rem">There is no label.</p>`; return; }
  const rest = items.slice(300);
  items = items.slice(0, 300);
  const total = items.reduce((s, g) => s + g.n.total, 0), out = [];
  let x = 0, y = 0, w = W, h = H, left = total;
  while (items.length) {
    const side = Math.min(w, h), scale = w * h / left;
    let row = [], sum = 0, worst = Infinity;
    while (items.length) {
      const s = sum + items[0].n.total, thick = s * scale / side;
      const ratio = Math.max(...row.concat(items[0]).map((g) => { const len = g.n.total * scale / thick; return Math.max(len / thick, thick / len); }));
      if (ratio > worst) break;
      row.push(items.shift()); sum = s; worst = ratio;
    }
    const thick = sum * scale / side;
    let at = 0;
    for (const g of row) {
      const len = g.n.total * scale / thick;
      out.push(w >= h ? [g, x, y + at, thick, len] : [g, x + at, y, len, thick]);
      at += len;
    }
    if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
    left -= sum;
  }
  at.innerHTML = out.map(([g, l, t, a, b]) => {
    const all = feasible(g.n), r = all ? (g.n.covered || 0) / all : 1;
    const share = percent(g.n.covered || 0, all);
    const colour = all ? `hsl(${(14 + r * r * 136).toFixed(0)} ${(58 - r * 8).toFixed(0)}% ${(40 - r * 10).toFixed(0)}%)` : "#66707e";
    return `<a href="#source/${g.f.file}/${g.f.line}" style="left:${l.toFixed(1)}px;top:${t.toFixed(1)}px;width:${a.toFixed(1)}px;height:${b.toFixed(1)}px;background:${colour}"
      title="${esc(g.f.name)}: ${g.n.covered || 0} of ${all} labels covered">${a > 40 && b > 20 ? `<span>${esc(g.f.name)}</span>` : ""}${a > 14 + 8 * share.length && b > 38 ? `<span>${share}</span>` : ""}</a>`;
  }).join("") + (rest.length ? `<span hidden>${rest.length} more</span>` : "");
}

// curve shows the labels covered over time, as tests found them.
function curve() {
  const first = new Map();
  D.tests.forEach((t) => { if (t.first) first.set(t.at || 0, (first.get(t.at || 0) || 0) + t.first); });
  const times = [...first.keys()].sort((a, b) => a - b);
  if (times.length < 2) return "";
  const end = times[times.length - 1] || 1, goal = labels.filter((l) => l.status !== "infeasible" && l.status !== "deselected").length || 1;
  let sum = 0, d = "M0 100";
  for (const t of times) {
    const x = (100 * t / end).toFixed(2);
    d += `H${x}`;
    sum += first.get(t);
    d += `V${(100 - 96 * sum / goal).toFixed(2)}`;
  }
  return `<h2>Labels over time</h2><svg class="curve" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="labels covered over time">
    <path class="goal" d="M0 4H100"/><path d="${d}H100"/></svg><p class="soft">${sum} labels in ${end.toFixed(1)} s; the dashed line is all feasible ones${D.decisions ? "; rows of decisions count here" : ""}</p>`;
}

// runs lists what engines did last, and do now.
function runs() {
  const list = (D.runs || []).slice().reverse();
  if (!list.length) return "";
  return `<details${document.body.dataset.live ? " open" : ""}><summary><b>Engines</b> <span class="soft">the last ${list.length} runs</span></summary><div class="scroll"><table><tbody>${list.map((r) =>
    `<tr><td>${esc(r.engine)}${r.mode ? ` <span class="soft">${esc(r.mode)}</span>` : ""}</td><td class="name">${name(r.entry || "main")}</td><td class="num">${r.paths} paths</td>
    <td class="num ${r.running ? "c-covered" : ""}">${r.running ? "at work" : r.error ? esc(r.error) : r.seconds.toFixed(1) + " s"}</td></tr>`).join("")}</tbody></table></div></details>`;
}

// highlighter colours C line by line; it remembers open comments.
function highlighter() {
  const token = /(\/\*)|(\/\/.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|_Static_assert|bool|true|false|NULL)\b|\b(0[xX][0-9a-fA-F]+[uUlL]*|\d[\d.eEuUlLfF]*)\b/g;
  let comment = false;
  return (line) => {
    let out = "", at = 0;
    for (;;) {
      if (comment) {
        const end = line.indexOf("*/", at);
        out += `<span class="c">${esc(end < 0 ? line.slice(at) : line.slice(at, end + 2))}</span>`;
        if (end < 0) return out;
        comment = false;
        at = end + 2;
      }
      token.lastIndex = at;
      const m = token.exec(line);
      if (!m) return out + esc(line.slice(at));
      out += esc(line.slice(at, m.index));
      at = m.index;
      if (m[1]) { comment = true; continue; }
      out += `<span class="${m[2] ? "c" : m[3] ? "s" : m[4] ? "h" : m[5] ? "k" : "d"}">${esc(m[0])}</span>`;
      at += m[0].length;
    }
  };
}

// events

function show() {
  const [name, ...args] = location.hash.slice(1).split("/");
  const view = views[name] ? name : "overview";
  document.querySelectorAll("nav a").forEach((a) => a.dataset.view === view ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current"));
  views[view](args);
  if (!args.length) window.scrollTo(0, 0);
}

function refilter() {
  filter();
  const search = document.activeElement && document.activeElement.id === "search", [name, file] = location.hash.slice(1).split("/");
  if (name === "source") views.source([file || 0]); else if (views[name]) views[name]([]);
  if (search) { const s = $("search"); s.focus(); s.setSelectionRange(s.value.length, s.value.length); }
}

main.addEventListener("click", (e) => {
  const t = e.target, hit = (q) => t.closest(q);
  let b;
  if ((b = hit("[data-status]"))) {
    const s = b.dataset.status;
    if (want.status.has(s) && want.status.size === SHOWN.length) want.status = new Set([s]); // the first click asks for it alone
    else if (want.status.has(s)) want.status.delete(s);
    else want.status.add(s);
    if (!want.status.size) want.status = new Set(SHOWN);
    refilter();
  } else if ((b = hit("[data-show]"))) {
    const l = byId.get(Number(b.dataset.label)), i = Number(b.dataset.show);
    if (showTest.get(l.id) === i) showTest.delete(l.id); else showTest.set(l.id, i);
    $("label-" + l.id).outerHTML = card(l);
  } else if ((b = hit("button[data-line]"))) toggleLine(Number(b.dataset.line));
  else if (hit("a, details, .test, th")) return;
  else if ((b = hit("tr[data-go]"))) location.hash = b.dataset.go;
  else if ((b = hit("tr[data-test]"))) toggleTest(b);
});
main.addEventListener("change", (e) => { if (e.target.id === "criterion") { want.criterion = e.target.value; refilter(); } });
let typing;
main.addEventListener("input", (e) => { if (e.target.id === "search") { want.text = e.target.value; clearTimeout(typing); typing = setTimeout(refilter, 120); } });

function nextOpen(step) {
  const rows = [...main.querySelectorAll(".row.open")], here = main.querySelector(".row.here");
  if (!rows.length) return;
  const at = here ? Number(here.id.slice(1)) : 0, number = (r) => Number(r.id.slice(1));
  const next = step > 0 ? rows.find((r) => number(r) > at) || rows[0] : rows.filter((r) => number(r) < at).pop() || rows[rows.length - 1];
  if (here) here.classList.remove("here");
  next.classList.add("here");
  toggleLine(number(next), true);
  next.scrollIntoView({block: "center"});
  history.replaceState(null, "", `#source/${next.parentElement.dataset.file}/${number(next)}`);
}
function nextRow(step) {
  const rows = [...main.querySelectorAll("tbody tr[tabindex]")];
  const at = rows.indexOf(document.activeElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  if (next) next.focus();
}
document.addEventListener("keydown", (e) => {
  const field = /INPUT|SELECT|TEXTAREA/.test(e.target.tagName);
  if (e.key === "Escape" && field) { e.target.blur(); return; }
  if (field || e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
  const names = Object.keys(views).filter((v) => v !== "decisions" || D.decisions), act = {
    n: () => nextOpen(1), p: () => nextOpen(-1), j: () => nextRow(1), k: () => nextRow(-1), t: theme, "?": () => $("keys").showModal(),
    x: () => { want.status = new Set(SHOWN); want.criterion = want.text = ""; refilter(); }, "/": () => { if (!$("search")) location.hash = "#labels"; setTimeout(() => $("search").focus()); },
    Enter: () => { const r = document.activeElement; if (r && r.matches("tr[data-go]")) location.hash = r.dataset.go; else if (r && r.matches("tr[data-test]")) toggleTest(r); else return false; },
  }[e.key];
  if (e.key >= "1" && e.key <= String(names.length)) location.hash = "#" + names[e.key - 1];
  else if (!act || act() === false) return;
  e.preventDefault();
});

function theme() {
  const now = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = now;
  try { localStorage.setItem("klabel-theme", now); } catch { /* a page from disk may have no storage */ }
}
let stored;
try { stored = localStorage.getItem("klabel-theme"); } catch { /* as above */ }
document.documentElement.dataset.theme = stored || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
$("theme").onclick = theme;
$("help").onclick = () => $("keys").showModal();
addEventListener("hashchange", show);
addEventListener("resize", () => { if ($("map")) treemap($("map"), D.functions.map((f, i) => ({f, i, n: f.n}))); });

load(JSON.parse($("data").textContent));
show();
document.body.dataset.ready = Math.round(performance.now());

// A live page asks again when the server says that something has changed.
if (document.body.dataset.live) {
  const query = location.search, live = $("live"), events = new EventSource("events" + query);
  live.hidden = false;
  live.textContent = "live";
  events.onmessage = async (e) => {
    live.textContent = e.data;
    try {
      const answer = await fetch("data.json" + query);
      if (!answer.ok) return;
      load(await answer.json());
      const name = location.hash.slice(1).split("/")[0], y = scrollY;
      if ((!name || !["source", "labels"].includes(name)) && !main.querySelector("tr.test, details[open] p")) { // what somebody reads stays
        show();
        scrollTo(0, y);
      }
    } catch { live.textContent = "no connection"; }
  };
  events.addEventListener("end", () => { live.textContent = "ended"; events.close(); });
  events.onerror = () => { live.textContent = "no connection"; };
}
})();
