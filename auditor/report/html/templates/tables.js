/* Filters: one form for causes and findings, kept in the fragment. */
const form = $("#filter"),
  rows = $$("#causes tbody tr");
const causes = rows.map((row, rank) => ({
  row,
  rank,
  state: "",
  counters: "",
  ...row.dataset,
  place: row.cells[2].textContent,
  findings: row.cells[4].textContent.replaceAll(",", ""),
  list: row.dataset.devices.split(" ").filter(Boolean).map(Number),
  words: row.textContent.toLowerCase(),
}));
const tierOf = (device) => {
  const tier = data.devices[device]?.[0];
  return tier === undefined || tier === null ? "" : (["host", "leaf", "spine"][tier] ?? `tier ${tier}`);
};
const findings = data.findings.map((f) => ({
  rule: text(f[0]),
  level: LEVELS[f[1]],
  device: f[2],
  port: text(f[3]),
  message: text(f[4]),
  file: text(f[5]),
  line: f[6],
  cause: f[7],
  kind: KINDS[f[8] ?? 0],
  state: STATES[f[9] ?? 0],
  counters: text(f[10] ?? -1),
  ignored: text(f[11] ?? -1),
}));
const byPort = new Map();
for (const found of findings)
  if (found.kind === "fail") {
    const key = `${found.device}/${found.port}`;
    if (!byPort.has(key)) byPort.set(key, []);
    byPort.get(key).push(found);
  }
const offer = (name, values, show = (value) => value) => {
  for (const value of values) form.elements[name].append(make("option", { value }, show(value)));
  if (!values.length) form.elements[name].closest("label").hidden = true;
};
const distinct = (key) => [...new Set(findings.map((found) => found[key]).filter(Boolean))].sort();
offer(
  "level",
  LEVELS.filter((level) => findings.some((found) => found.level === level)),
);
offer("rule", distinct("rule"));
offer("device", [...new Set(findings.map((found) => data.names[found.device]))].sort(new Intl.Collator("en", { numeric: true }).compare));
offer("tier", [...new Set(findings.map((found) => tierOf(found.device)))].filter(Boolean).sort());
offer("state", distinct("state"));
offer(
  "kind",
  KINDS.filter((kind) => findings.some((found) => found.kind === kind)),
  (kind) => ({ fail: "fails", open: "not judged", ignored: "ignored" })[kind],
);
offer("counters", distinct("counters"));
const numberOf = new Map(data.names.map((name, number) => [name, number]));
let chosen = findings.filter((found) => found.kind === "fail"),
  shown = 0,
  order = null;
const CHUNK = 100;
const read = () => Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
const apply = () => {
  const want = read(),
    device = want.device === undefined ? null : numberOf.get(want.device),
    query = (want.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const cause of causes) {
    const state = cause.state === "spread" ? "new" : cause.state;
    const fits =
      (!want.level || cause.level === want.level) &&
      (!want.rule || cause.rule === want.rule) &&
      (device === null || cause.list.includes(device)) &&
      (!want.tier || cause.tier.split(" ").includes(want.tier)) &&
      (!want.state || state === want.state) &&
      (!want.kind || want.kind === "fail") &&
      (!want.counters || cause.counters === want.counters) &&
      query.every((word) => cause.words.includes(word));
    cause.row.hidden = !fits;
    count += fits;
  }
  $("#causes-count").textContent = count === causes.length ? `${count}` : `${count} of ${causes.length}`;
  chosen = findings.filter(
    (found) =>
      (!want.level || found.level === want.level) &&
      (!want.rule || found.rule === want.rule) &&
      (device === null || found.device === device) &&
      (!want.tier || tierOf(found.device) === want.tier) &&
      (!want.state || found.state === want.state) &&
      found.kind === (want.kind ?? "fail") &&
      (!want.counters || found.counters === want.counters) &&
      query.every((word) =>
        `${found.rule} ${data.names[found.device]} ${found.port} ${found.message} ${found.file}`.toLowerCase().includes(word),
      ),
  );
  if (order) chosen.sort(order);
  $("#findings-count").textContent = `${chosen.length} of ${findings.length}`;
  if (Object.keys(want).length && !count) $("#each").open = true;
  draw();
};
const keep = () => {
  const told = new URLSearchParams(read()).toString();
  history.replaceState(null, "", told ? `#find?${told}` : "#find");
  apply();
};
form.addEventListener("input", keep);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(keep));
const restore = () => {
  const [id, told] = location.hash.slice(1).split("?");
  if (told !== undefined && id === "find") {
    for (const [name, value] of new URLSearchParams(told)) if (form.elements[name]) form.elements[name].value = value;
    apply();
    $("#find").scrollIntoView();
  } else reveal(decodeURIComponent(id))?.scrollIntoView();
};
addEventListener("hashchange", restore);

/* Findings: rows are made as they are asked for, so that ten thousand cost nothing. */
const table = $("#findings"),
  COLUMNS = [
    ["level", "Level"],
    ["rule", "Rule"],
    ["device", "Device"],
    ["port", "Port"],
    ["message", "What"],
    ["file", "Line"],
  ];
const collator = new Intl.Collator("en", { numeric: true });
const value = (found, key) => (key === "level" ? LEVELS.indexOf(found.level) : key === "device" ? data.names[found.device] : found[key]);
const body = make("tbody"),
  more = make("button", { type: "button", class: "more" });
const heads = COLUMNS.map(([key, title]) => {
  const button = make("button", { type: "button" }, title),
    head = make("th", { scope: "col" }, button);
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    order = (a, b) =>
      (down ? -1 : 1) * (key === "level" ? value(a, key) - value(b, key) : collator.compare(value(a, key), value(b, key)));
    apply();
  });
  return head;
});
table.append(
  make("table", {}, make("caption", { class: "hidden" }, "Findings"), make("thead", {}, make("tr", {}, ...heads)), body),
  more,
);
table.hidden = false;
const line = (found) =>
  make(
    "tr",
    {},
    make("td", {}, badge(found.level), found.state === "new" ? make("span", { class: "state new" }, "new") : ""),
    make(
      "td",
      {},
      found.cause < 0 ? make("code", {}, found.rule) : make("a", { href: `#c${found.cause}` }, make("code", {}, found.rule)),
    ),
    make("td", {}, data.names[found.device]),
    make("td", {}, found.port ? portLink(found.device, found.port) : ""),
    make("td", {}, found.message, found.ignored ? make("span", { class: "muted" }, ` ignored: ${found.ignored}`) : ""),
    make("td", { class: "place" }, found.file ? `${found.file}:${found.line}` : ""),
  );
const grow = () => {
  body.append(...chosen.slice(shown, shown + CHUNK).map(line));
  shown = Math.min(chosen.length, shown + CHUNK);
  more.hidden = shown >= chosen.length;
  more.textContent = `Show ${Math.min(CHUNK, chosen.length - shown)} more of ${chosen.length - shown}`;
};
const draw = () => {
  body.replaceChildren();
  shown = 0;
  grow();
};
more.addEventListener("click", grow);

/* Sorting of causes. */
for (const head of $$("#causes th[data-key]")) {
  const button = make("button", { type: "button" }, head.textContent),
    key = head.dataset.key;
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of $$("#causes th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rank = (cause) => (key === "level" ? `${LEVELS.indexOf(cause.level)}` : `${cause[key]}`);
    causes.sort((a, b) => (down ? -1 : 1) * (collator.compare(rank(a), rank(b)) || a.rank - b.rank));
    $("#causes tbody").append(...causes.map((cause) => cause.row));
  });
}
$("#unfold")?.addEventListener("click", (event) => {
  const all = $$("#causes tr:not([hidden]) details"),
    open = all.some((each) => !each.open);
  for (const each of all) each.open = open;
  event.target.textContent = open ? "Fold all" : "Unfold all";
});

/* CSV: no cell begins like a formula. */
const cell = (told) => {
  const safe = /^\s*[=+\-@]/.test(told) ? `'${told}` : `${told}`;
  return `"${safe.replaceAll('"', '""')}"`;
};
const save = (name, lines) => {
  const url = URL.createObjectURL(new Blob([lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" }));
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};
for (const button of $$("[data-csv]"))
  button.addEventListener("click", () => {
    if (button.dataset.csv === "causes")
      save("causes.csv", [
        ["level", "rule", "place", "message", "findings", "cost"],
        ...causes
          .filter((c) => !c.row.hidden)
          .map((c) => [
            c.level,
            c.rule,
            c.place,
            $("summary", c.row).textContent,
            c.findings,
            $(".cost", c.row.lastElementChild.parentElement)?.textContent ?? "",
          ]),
      ]);
    else
      save("findings.csv", [
        ["level", "kind", "rule", "device", "port", "message", "file", "line", "state"],
        ...chosen.map((f) => [f.level, f.kind, f.rule, data.names[f.device], f.port, f.message, f.file, f.line, f.state]),
      ]);
  });
