"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false) made.setAttribute(name, value);
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  };
  const SIGNS = { error: "✖", warning: "▲", note: "●" };
  const LEVELS = ["error", "warning", "note"], KINDS = ["fail", "open", "ignored"], STATES = ["", "new", "unchanged"];
  const badge = (level) => make("span", { class: `level ${level}` }, make("span", { "aria-hidden": "true" }, SIGNS[level]), ` ${level}`);

  for (const button of $$(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      try { await navigator.clipboard.writeText(`${source.textContent}\n`); } catch {
        getSelection().selectAllChildren(source);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
  const unfolded = [];
  addEventListener("beforeprint", () => { for (const each of $$("details:not([open])")) { unfolded.push(each); each.open = true; } });
  addEventListener("afterprint", () => { for (const each of unfolded.splice(0)) each.open = false; });
  const reveal = (id) => {
    const target = id && document.getElementById(id);
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    const inner = target && target.tagName === "TR" && $("details", target);
    if (inner) inner.open = true;
    return target;
  };

  addEventListener("toggle", (event) => { for (const goal of $$(":scope > .ports, :scope > .inside > .ports-of", event.target)) if (event.target.open) fillPorts?.(goal); }, true);
  let fillPorts = null;

  const holder = document.getElementById("data");
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  const text = (number) => number < 0 ? "" : data.texts[number];
  for (const each of $$(".tools, #filter")) each.hidden = false;

  /* Filters: one form for causes and findings, kept in the fragment. */
  const form = $("#filter"), rows = $$("#causes tbody tr");
  const causes = rows.map((row, rank) => ({ row, rank, state: "", counters: "", ...row.dataset, place: row.cells[2].textContent, findings: row.cells[4].textContent.replaceAll(",", ""), list: row.dataset.devices.split(" ").filter(Boolean).map(Number), words: row.textContent.toLowerCase() }));
  const tierOf = (device) => { const tier = data.devices[device]?.[0]; return tier === undefined || tier === null ? "" : ["host", "leaf", "spine"][tier] ?? `tier ${tier}`; };
  const findings = data.findings.map((f) => ({ rule: text(f[0]), level: LEVELS[f[1]], device: f[2], port: text(f[3]), message: text(f[4]), file: text(f[5]), line: f[6], cause: f[7], kind: KINDS[f[8] ?? 0], state: STATES[f[9] ?? 0], counters: text(f[10] ?? -1), ignored: text(f[11] ?? -1) }));
  const byPort = new Map();
  for (const found of findings) if (found.kind === "fail") {
    const key = `${found.device}/${found.port}`;
    if (!byPort.has(key)) byPort.set(key, []);
    byPort.get(key).push(found);
  }
  const offer = (name, values, show = (value) => value) => {
    for (const value of values) form.elements[name].append(make("option", { value }, show(value)));
    if (!values.length) form.elements[name].closest("label").hidden = true;
  };
  const distinct = (key) => [...new Set(findings.map((found) => found[key]).filter(Boolean))].sort();
  offer("level", LEVELS.filter((level) => findings.some((found) => found.level === level)));
  offer("rule", distinct("rule"));
  offer("device", [...new Set(findings.map((found) => data.names[found.device]))].sort(new Intl.Collator("en", { numeric: true }).compare));
  offer("tier", [...new Set(findings.map((found) => tierOf(found.device)))].filter(Boolean).sort());
  offer("state", distinct("state"));
  offer("kind", KINDS.filter((kind) => findings.some((found) => found.kind === kind)), (kind) => ({ fail: "fails", open: "not judged", ignored: "ignored" })[kind]);
  offer("counters", distinct("counters"));
  const numberOf = new Map(data.names.map((name, number) => [name, number]));
  let chosen = findings.filter((found) => found.kind === "fail"), shown = 0, order = null;
  const CHUNK = 100;
  const read = () => Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  const apply = () => {
    const want = read(), device = want.device === undefined ? null : numberOf.get(want.device), query = (want.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const cause of causes) {
      const state = cause.state === "spread" ? "new" : cause.state;
      const fits = (!want.level || cause.level === want.level) && (!want.rule || cause.rule === want.rule) && (device === null || cause.list.includes(device)) && (!want.tier || cause.tier.split(" ").includes(want.tier)) && (!want.state || state === want.state) && (!want.kind || want.kind === "fail") && (!want.counters || cause.counters === want.counters) && query.every((word) => cause.words.includes(word));
      cause.row.hidden = !fits;
      count += fits;
    }
    $("#causes-count").textContent = count === causes.length ? `${count}` : `${count} of ${causes.length}`;
    chosen = findings.filter((found) => (!want.level || found.level === want.level) && (!want.rule || found.rule === want.rule) && (device === null || found.device === device) && (!want.tier || tierOf(found.device) === want.tier) && (!want.state || found.state === want.state) && found.kind === (want.kind ?? "fail") && (!want.counters || found.counters === want.counters) && query.every((word) => `${found.rule} ${data.names[found.device]} ${found.port} ${found.message} ${found.file}`.toLowerCase().includes(word)));
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
  const table = $("#findings"), COLUMNS = [["level", "Level"], ["rule", "Rule"], ["device", "Device"], ["port", "Port"], ["message", "What"], ["file", "Line"]];
  const collator = new Intl.Collator("en", { numeric: true });
  const value = (found, key) => key === "level" ? LEVELS.indexOf(found.level) : key === "device" ? data.names[found.device] : found[key];
  const body = make("tbody"), more = make("button", { type: "button", class: "more" });
  const heads = COLUMNS.map(([key, title]) => {
    const button = make("button", { type: "button" }, title), head = make("th", { scope: "col" }, button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      order = (a, b) => (down ? -1 : 1) * (key === "level" ? value(a, key) - value(b, key) : collator.compare(value(a, key), value(b, key)));
      apply();
    });
    return head;
  });
  table.append(make("table", {}, make("caption", { class: "hidden" }, "Findings"), make("thead", {}, make("tr", {}, ...heads)), body), more);
  table.hidden = false;
  const line = (found) => make("tr", {},
    make("td", {}, badge(found.level), found.state === "new" ? make("span", { class: "state new" }, "new") : ""),
    make("td", {}, found.cause < 0 ? make("code", {}, found.rule) : make("a", { href: `#c${found.cause}` }, make("code", {}, found.rule))),
    make("td", {}, data.names[found.device]),
    make("td", {}, found.port ? portLink(found.device, found.port) : ""),
    make("td", {}, found.message, found.ignored ? make("span", { class: "muted" }, ` ignored: ${found.ignored}`) : ""),
    make("td", { class: "place" }, found.file ? `${found.file}:${found.line}` : ""));
  const grow = () => {
    body.append(...chosen.slice(shown, shown + CHUNK).map(line));
    shown = Math.min(chosen.length, shown + CHUNK);
    more.hidden = shown >= chosen.length;
    more.textContent = `Show ${Math.min(CHUNK, chosen.length - shown)} more of ${chosen.length - shown}`;
  };
  const draw = () => { body.replaceChildren(); shown = 0; grow(); };
  more.addEventListener("click", grow);

  /* Sorting of causes. */
  for (const head of $$("#causes th[data-key]")) {
    const button = make("button", { type: "button" }, head.textContent), key = head.dataset.key;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of $$("#causes th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rank = (cause) => key === "level" ? `${LEVELS.indexOf(cause.level)}` : `${cause[key]}`;
      causes.sort((a, b) => (down ? -1 : 1) * (collator.compare(rank(a), rank(b)) || a.rank - b.rank));
      $("#causes tbody").append(...causes.map((cause) => cause.row));
    });
  }
  $("#unfold")?.addEventListener("click", (event) => {
    const all = $$("#causes tr:not([hidden]) details"), open = all.some((each) => !each.open);
    for (const each of all) each.open = open;
    event.target.textContent = open ? "Fold all" : "Unfold all";
  });

  /* CSV: no cell begins like a formula. */
  const cell = (told) => { const safe = /^\s*[=+\-@]/.test(told) ? `'${told}` : `${told}`; return `"${safe.replaceAll('"', '""')}"`; };
  const save = (name, lines) => {
    const url = URL.createObjectURL(new Blob([lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" }));
    const link = make("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  for (const button of $$("[data-csv]")) button.addEventListener("click", () => {
    if (button.dataset.csv === "causes") save("causes.csv", [["level", "rule", "place", "message", "findings", "cost"], ...causes.filter((c) => !c.row.hidden).map((c) => [c.level, c.rule, c.place, $("summary", c.row).textContent, c.findings, $(".cost", c.row.lastElementChild.parentElement)?.textContent ?? ""])]);
    else save("findings.csv", [["level", "kind", "rule", "device", "port", "message", "file", "line", "state"], ...chosen.map((f) => [f.level, f.kind, f.rule, data.names[f.device], f.port, f.message, f.file, f.line, f.state])]);
  });

  /* A device with its ports, and the way of packets through one port. */
  const view = $("#view");
  const portOf = (device, name) => data.devices[device]?.[4].find((port) => text(port[0]) === name);
  const portLink = (device, name) => portOf(device, name) ? make("a", { href: `#d${device}`, "data-port": name }, name) : name;
  const worst = (list) => LEVELS.find((level) => list.some((found) => found.level === level)) ?? "";
  const settings = (number) => $$(`#s${number} tbody tr`);
  const locate = (port, shape, at) => {
    const vector = data.places[shape[2]], file = vector[2 * at], line = vector[2 * at + 1];
    if (file >= 0) return line ? [text(shape[1][file]), line] : null;
    const head = -1 - file, name = port[2][2 * head];
    return name === undefined || name < 0 ? null : [text(name), port[2][2 * head + 1] + line];
  };
  const stagesOf = (device, port) => {
    const shape = data.devices[device][3][port[1]];
    let at = 0;
    return shape[0].map((number) => {
      const [name, own] = data.stages[number];
      const list = settings(number).map((row) => {
        const place = locate(port, shape, at++);
        return { label: row.cells[0].textContent, value: row.cells[1].textContent, origin: row.cells[2].firstChild?.nodeType === 3 ? row.cells[2].firstChild.textContent.trim() : "", why: $("sup", row)?.textContent ? document.getElementById(`y${$("sup", row).textContent}`).textContent : "", state: row.className || "known", place };
      });
      return { name, own, list };
    });
  };
  const ORDER = ["in", "class", "priority group", "pool", "queue", "wire", "NIC", "out"];
  const box = (stage) => {
    const files = stage.list.map((each) => each.place?.[0]).filter(Boolean), main = files.sort((a, b) => files.filter((x) => x === b).length - files.filter((x) => x === a).length)[0];
    const proof = (each) => {
      const origin = each.origin === "configured" ? "" : each.origin.replace("reported by the device", "reported").replace("default of the system", "default");
      const place = each.place ? `${each.place[0] === main ? "" : each.place[0].split("/").pop()}:${each.place[1]}` : "";
      return origin || place ? make("small", { title: each.place ? `${each.origin || each.value}: ${each.place.join(":")}` : each.origin }, [origin, place].filter(Boolean).join(" ")) : "";
    };
    return make("li", {}, make("h4", {}, `${stage.name} ${stage.own}`.trim()), make("dl", {}, ...stage.list.map((each) => make("div", { class: each.state === "known" ? null : each.state }, make("dt", {}, each.label), make("dd", { title: each.why || null }, make("span", {}, each.value), proof(each))))), main ? make("small", { class: "of" }, `lines of ${main}`) : "");
  };
  const split = (stages) => {
    const first = stages.find((stage) => stage.name === "class"), number = (label) => first?.list.find((each) => each.label === label)?.value;
    const isMain = (stage) => ({ class: () => stage === first, queue: () => stage.own === number("queue"), "priority group": () => stage.own === number("priority group"), NIC: () => false })[stage.name]?.() ?? true;
    return [stages.filter(isMain), stages.filter((stage) => !isMain(stage))];
  };
  const chips = (device, current) => make("ul", { class: "chips" }, ...data.devices[device][4].map((port) => {
    const name = text(port[0]), list = byPort.get(`${device}/${name}`) ?? [], level = worst(list);
    return make("li", {}, make("a", { href: `#d${device}`, "data-port": name, class: `chip ${level}`, "aria-current": name === current ? "true" : null }, level ? `${SIGNS[level]} ` : "", name, level ? make("span", { class: "hidden" }, `, ${list.length} wrong, worst: ${level}`) : ""));
  }));
  fillPorts = (goal) => {
    if (goal.dataset.ports) { goal.replaceChildren(chips(Number(goal.dataset.ports))); return; }
    const own = findings.filter((found) => found.cause === Number(goal.dataset.cause) && found.port), lists = new Map();
    for (const found of own) lists.set(found.device, (lists.get(found.device) ?? new Set()).add(found.port));
    if (!own.length || own.length > 600) return;
    goal.replaceChildren(...[...lists].map(([device, ports]) => make("p", {}, make("a", { href: `#d${device}` }, data.names[device]), " ", ...[...ports].sort(collator.compare).flatMap((name) => [portLink(device, name), " "]))));
  };
  const list = (found) => found.length ? make("ul", { class: "plain" }, ...found.map((each) => make("li", {}, badge(each.level), " ", each.cause < 0 ? make("code", {}, each.rule) : make("a", { href: `#c${each.cause}` }, make("code", {}, each.rule)), ` ${each.message}`))) : "";
  const close = () => make("button", { type: "button", class: "close" }, "Close");
  const open = (device, name) => {
    const port = name ? portOf(device, name) : null, own = data.names[device];
    const parts = [close()];
    if (port) {
      const far = [text(port[4]), text(port[5])].filter(Boolean).join(" "), shape = data.devices[device][3][port[1]];
      parts.push(make("h3", {}, `${own} ${name}`, far ? make("span", { class: "muted" }, ` → ${far}`) : ""));
      parts.push(list(byPort.get(`${device}/${name}`) ?? []));
      const stages = stagesOf(device, port).sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
      const [main, others] = split(stages);
      parts.push(make("ol", { class: "pipe", "aria-label": `Way of RDMA packets through ${own} ${name}` }, ...main.map(box)));
      if (others.length) parts.push(make("details", {}, make("summary", {}, "Other classes, and the NIC"), make("ul", { class: "pipe loose" }, ...others.map(box))));
      const drawn = shape[3] < 0 ? null : document.getElementById(`h${shape[3]}`);
      if (drawn) { const copy = drawn.cloneNode(true); copy.removeAttribute("id"); parts.push(copy); }
      parts.push(make("p", { class: "muted" }, `Ports of ${own}`));
    } else {
      const found = findings.filter((each) => each.device === device && each.kind === "fail");
      parts.push(make("h3", {}, own, make("span", { class: "muted" }, ` ${found.length ? `${found.length} findings` : "nothing wrong"}`)));
      const seen = [...new Map(found.map((each) => [each.cause < 0 ? each : each.cause, each])).values()];
      parts.push(list(seen));
    }
    parts.push(chips(device, name));
    view.replaceChildren(...parts.filter(Boolean));
    view.hidden = false;
    view.setAttribute("role", "region");
    view.setAttribute("aria-label", name ? `${own} ${name}` : own);
    view.focus({ preventScroll: true });
    view.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest(".close")) { view.hidden = true; return; }
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    const id = (link.getAttribute("href")).slice(1), device = /^d(\d+)$/.exec(id)?.[1];
    if (device === undefined || !data.devices[device]) { reveal(id); return; }
    event.preventDefault();
    open(Number(device), link.dataset.port);
  });
  for (const link of $$(".matrix td a")) link.title = link.getAttribute("aria-label");
  for (const node of $$(".map .node")) {
    const light = (on) => { for (const cable of $$(".map .cable")) {
      const own = cable.dataset.a === node.dataset.node || cable.dataset.b === node.dataset.node;
      cable.classList.toggle("lit", on && own);
      cable.classList.toggle("dim", on && !own);
    } };
    for (const name of ["mouseenter", "focus"]) node.addEventListener(name, () => light(true));
    for (const name of ["mouseleave", "blur"]) node.addEventListener(name, () => light(false));
  }

  /* The path of packets between two hosts, over every equal-cost way. */
  const ends = $("#ends"), hosts = data.devices.map((device, number) => [device, number]).filter(([device]) => device[2] === "host" && device[4].some((port) => port[3] >= 0)).map(([, number]) => number);
  const nics = (host) => data.devices[host][4].filter((port) => port[3] >= 0);
  const near = (device) => data.devices[device][4].filter((port) => port[3] >= 0 && data.devices[port[3]]);
  const find = (stages, name, label, own) => stages.find((stage) => stage.name === name && (own === undefined || stage.own === own))?.list.find((each) => each.label === label);
  const crossing = (device, name, by) => {
    const port = portOf(device, name), stages = port ? stagesOf(device, port) : [], out = by && portOf(device, by) ? stagesOf(device, portOf(device, by)) : stages;
    const queue = find(stages, "class", "queue")?.value;
    return [find(stages, "class", "DSCP"), find(stages, "class", "class"), find(stages, "class", "no-drop"), find(out, "wire", "PFC"), find(out, "queue", "ECN", queue), find(out, "queue", "Kmin", queue), find(stages, "in", "IP MTU") ?? find(stages, "in", "MTU")];
  };
  const walk = (a, nic, b) => {
    const left = new Map([[b, 0]]), waiting = [b];
    while (waiting.length) {
      const here = waiting.shift();
      if (here !== b && data.devices[here][2] !== "switch") continue;
      for (const port of near(here)) if (!left.has(port[3])) { left.set(port[3], left.get(here) + 1); waiting.push(port[3]); }
    }
    const hops = [[{ device: a, in: [], out: [text(nic[0])] }]];
    let at = new Map([[nic[3], new Set([text(nic[5])])]]);
    if (!left.has(nic[3])) return null;
    while (at.size) {
      const next = new Map(), row = [];
      for (const [device, into] of at) {
        const exits = device === b ? [] : near(device).filter((port) => (data.devices[port[3]][2] === "switch" || port[3] === b) && left.get(port[3]) === left.get(device) - 1);
        row.push({ device, in: [...into], out: exits.map((port) => text(port[0])) });
        for (const port of exits) { if (!next.has(port[3])) next.set(port[3], new Set()); next.get(port[3]).add(text(port[5])); }
      }
      hops.push(row);
      at = next;
    }
    return hops;
  };
  const COMPARED = new Set([0, 2, 3, 4]);
  const TITLES = ["Hop", "Device", "In", "Out", "DSCP", "Class", "No-drop", "PFC", "ECN", "Kmin", "IP MTU", "Wrong there"];
  const names = (device, list) => list.length > 3 ? [portLink(device, list[0]), ` and ${list.length - 1} more`] : list.flatMap((name, number) => [number ? ", " : "", portLink(device, name)]);
  const trace = () => {
    const a = Number(ends.elements.a.value), b = Number(ends.elements.b.value), nic = nics(a)[Number(ends.elements.nic.value)] ?? nics(a)[0];
    const hops = a === b || !nic ? null : walk(a, nic, b), goal = $("#hops");
    if (!hops) { goal.replaceChildren(make("p", {}, a === b ? "Choose two hosts." : `No way from ${text(nic?.[0] ?? -1) || "here"} to it is known: choose another NIC or host.`)); return; }
    const usual = {};
    const lines = hops.flatMap((row, hop) => row.map((each) => ({ hop, ...each, cells: crossing(each.device, each.in[0] ?? each.out[0], each.out[0]) })));
    lines.forEach((each) => each.cells.forEach((cell, column) => { if (cell && cell.state === "known") (usual[column] ??= new Map()).set(cell.value, (usual[column]?.get(cell.value) ?? 0) + 1); }));
    const common = (column) => [...(usual[column] ?? [])].sort((x, y) => y[1] - x[1])[0]?.[0];
    const departs = (cell, column) => {
      const is = COMPARED.has(column) && cell?.state === "known" && cell.value !== common(column);
      return make("td", { class: is ? "differs" : null }, cell ? `${is ? "≠ " : ""}${cell.value}` : "");
    };
    goal.replaceChildren(make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Hops" }, make("table", {}, make("caption", {}, `RDMA packets from ${data.names[a]} ${text(nic[0])} to ${data.names[b]}: each hop, a cell that departs from the other hops has ≠`), make("thead", {}, make("tr", {}, ...TITLES.map((title) => make("th", { scope: "col" }, title)))), make("tbody", {}, ...lines.map((each) => {
      const found = [...each.in, ...each.out].flatMap((name) => byPort.get(`${each.device}/${name}`) ?? []), level = worst(found);
      return make("tr", {}, make("td", { class: "n" }, `${each.hop}`), make("th", { scope: "row" }, make("a", { href: `#d${each.device}` }, data.names[each.device])), make("td", {}, ...names(each.device, each.in)), make("td", {}, ...names(each.device, each.out)),
        ...each.cells.map((cell, column) => departs(cell, column)),
        make("td", { class: level || null }, level ? `${SIGNS[level]} ${[...new Set(found.map((each) => each.rule))].join(" ")}` : "·"));
    })))));
  };
  if (ends && hosts.length > 1) {
    ends.hidden = false;
    const host = (number) => make("option", { value: number }, data.names[number]);
    ends.elements.a.append(...hosts.map(host));
    ends.elements.b.append(...hosts.map(host));
    const fill = () => ends.elements.nic.replaceChildren(...nics(Number(ends.elements.a.value)).map((port, number) => make("option", { value: number }, text(port[0]))));
    fill();
    const first = nics(hosts[0])[0];
    ends.elements.b.value = hosts.findLast((host) => host !== hosts[0] && walk(hosts[0], first, host)) ?? hosts[1];
    ends.addEventListener("input", (event) => { if (event.target.name === "a") fill(); trace(); });
    const seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) { seen.disconnect(); trace(); } });
    seen.observe($("#path"));
  }
  apply();
  if (location.hash) restore();
})();
