/* A device with its ports, and the way of packets through one port. */
const view = $("#view");
const portOf = (device, name) => data.devices[device]?.[4].find((port) => text(port[0]) === name);
const portLink = (device, name) => (portOf(device, name) ? make("a", { href: `#d${device}`, "data-port": name }, name) : name);
const worst = (list) => LEVELS.find((level) => list.some((found) => found.level === level)) ?? "";
const settings = (number) => $$(`#s${number} tbody tr`);
const locate = (port, shape, at) => {
  const vector = data.places[shape[2]],
    file = vector[2 * at],
    line = vector[2 * at + 1];
  if (file >= 0) return line ? [text(shape[1][file]), line] : null;
  const head = -1 - file,
    name = port[2][2 * head];
  return name === undefined || name < 0 ? null : [text(name), port[2][2 * head + 1] + line];
};
const stagesOf = (device, port) => {
  const shape = data.devices[device][3][port[1]];
  let at = 0;
  return shape[0].map((number) => {
    const [name, own] = data.stages[number];
    const list = settings(number).map((row) => {
      const place = locate(port, shape, at++);
      return {
        label: row.cells[0].textContent,
        value: row.cells[1].textContent,
        origin: row.cells[2].firstChild?.nodeType === 3 ? row.cells[2].firstChild.textContent.trim() : "",
        why: $("sup", row)?.textContent ? document.getElementById(`y${$("sup", row).textContent}`).textContent : "",
        state: row.className || "known",
        place,
      };
    });
    return { name, own, list };
  });
};
const ORDER = ["in", "class", "priority group", "pool", "queue", "wire", "NIC", "out"];
const box = (stage) => {
  const files = stage.list.map((each) => each.place?.[0]).filter(Boolean),
    main = files.sort((a, b) => files.filter((x) => x === b).length - files.filter((x) => x === a).length)[0];
  const proof = (each) => {
    const origin =
      each.origin === "configured"
        ? ""
        : each.origin.replace("reported by the device", "reported").replace("default of the system", "default");
    const place = each.place ? `${each.place[0] === main ? "" : each.place[0].split("/").pop()}:${each.place[1]}` : "";
    return origin || place
      ? make(
          "small",
          { title: each.place ? `${each.origin || each.value}: ${each.place.join(":")}` : each.origin },
          [origin, place].filter(Boolean).join(" "),
        )
      : "";
  };
  return make(
    "li",
    {},
    make("h4", {}, `${stage.name} ${stage.own}`.trim()),
    make(
      "dl",
      {},
      ...stage.list.map((each) =>
        make(
          "div",
          { class: each.state === "known" ? null : each.state },
          make("dt", {}, each.label),
          make("dd", { title: each.why || null }, make("span", {}, each.value), proof(each)),
        ),
      ),
    ),
    main ? make("small", { class: "of" }, `lines of ${main}`) : "",
  );
};
const split = (stages) => {
  const first = stages.find((stage) => stage.name === "class"),
    number = (label) => first?.list.find((each) => each.label === label)?.value;
  const isMain = (stage) =>
    ({
      class: () => stage === first,
      queue: () => stage.own === number("queue"),
      "priority group": () => stage.own === number("priority group"),
      NIC: () => false,
    })[stage.name]?.() ?? true;
  return [stages.filter(isMain), stages.filter((stage) => !isMain(stage))];
};
const chips = (device, current) =>
  make(
    "ul",
    { class: "chips" },
    ...data.devices[device][4].map((port) => {
      const name = text(port[0]),
        list = byPort.get(`${device}/${name}`) ?? [],
        level = worst(list);
      return make(
        "li",
        {},
        make(
          "a",
          { href: `#d${device}`, "data-port": name, class: `chip ${level}`, "aria-current": name === current ? "true" : null },
          level ? `${SIGNS[level]} ` : "",
          name,
          level ? make("span", { class: "hidden" }, `, ${list.length} wrong, worst: ${level}`) : "",
        ),
      );
    }),
  );
fillPorts = (goal) => {
  if (goal.dataset.ports) {
    goal.replaceChildren(chips(Number(goal.dataset.ports)));
    return;
  }
  const own = findings.filter((found) => found.cause === Number(goal.dataset.cause) && found.port),
    lists = new Map();
  for (const found of own) lists.set(found.device, (lists.get(found.device) ?? new Set()).add(found.port));
  if (!own.length || own.length > 600) return;
  goal.replaceChildren(
    ...[...lists].map(([device, ports]) =>
      make(
        "p",
        {},
        make("a", { href: `#d${device}` }, data.names[device]),
        " ",
        ...[...ports].sort(collator.compare).flatMap((name) => [portLink(device, name), " "]),
      ),
    ),
  );
};
const list = (found) =>
  found.length
    ? make(
        "ul",
        { class: "plain" },
        ...found.map((each) =>
          make(
            "li",
            {},
            badge(each.level),
            " ",
            each.cause < 0 ? make("code", {}, each.rule) : make("a", { href: `#c${each.cause}` }, make("code", {}, each.rule)),
            ` ${each.message}`,
          ),
        ),
      )
    : "";
const close = () => make("button", { type: "button", class: "close" }, "Close");
const open = (device, name) => {
  const port = name ? portOf(device, name) : null,
    own = data.names[device];
  const parts = [close()];
  if (port) {
    const far = [text(port[4]), text(port[5])].filter(Boolean).join(" "),
      shape = data.devices[device][3][port[1]];
    parts.push(make("h3", {}, `${own} ${name}`, far ? make("span", { class: "muted" }, ` → ${far}`) : ""));
    parts.push(list(byPort.get(`${device}/${name}`) ?? []));
    const stages = stagesOf(device, port).sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
    const [main, others] = split(stages);
    parts.push(make("ol", { class: "pipe", "aria-label": `Way of RDMA packets through ${own} ${name}` }, ...main.map(box)));
    if (others.length)
      parts.push(
        make("details", {}, make("summary", {}, "Other classes, and the NIC"), make("ul", { class: "pipe loose" }, ...others.map(box))),
      );
    const drawn = shape[3] < 0 ? null : document.getElementById(`h${shape[3]}`);
    if (drawn) {
      const copy = drawn.cloneNode(true);
      copy.removeAttribute("id");
      parts.push(copy);
    }
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
  if (event.target.closest(".close")) {
    view.hidden = true;
    return;
  }
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  const id = link.getAttribute("href").slice(1),
    device = /^d(\d+)$/.exec(id)?.[1];
  if (device === undefined || !data.devices[device]) {
    reveal(id);
    return;
  }
  event.preventDefault();
  open(Number(device), link.dataset.port);
});
for (const link of $$(".matrix td a")) link.title = link.getAttribute("aria-label");
for (const node of $$(".map .node")) {
  const light = (on) => {
    for (const cable of $$(".map .cable")) {
      const own = cable.dataset.a === node.dataset.node || cable.dataset.b === node.dataset.node;
      cable.classList.toggle("lit", on && own);
      cable.classList.toggle("dim", on && !own);
    }
  };
  for (const name of ["mouseenter", "focus"]) node.addEventListener(name, () => light(true));
  for (const name of ["mouseleave", "blur"]) node.addEventListener(name, () => light(false));
}
