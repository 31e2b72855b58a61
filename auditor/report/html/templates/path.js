/* The path of packets between two hosts, over every equal-cost way. */
const ends = $("#ends"),
  hosts = data.devices
    .map((device, number) => [device, number])
    .filter(([device]) => device[2] === "host" && device[4].some((port) => port[3] >= 0))
    .map(([, number]) => number);
const nics = (host) => data.devices[host][4].filter((port) => port[3] >= 0);
const near = (device) => data.devices[device][4].filter((port) => port[3] >= 0 && data.devices[port[3]]);
const find = (stages, name, label, own) =>
  stages.find((stage) => stage.name === name && (own === undefined || stage.own === own))?.list.find((each) => each.label === label);
const crossing = (device, name, by) => {
  const port = portOf(device, name),
    stages = port ? stagesOf(device, port) : [],
    out = by && portOf(device, by) ? stagesOf(device, portOf(device, by)) : stages;
  const queue = find(stages, "class", "queue")?.value;
  return [
    find(stages, "class", "DSCP"),
    find(stages, "class", "class"),
    find(stages, "class", "no-drop"),
    find(out, "wire", "PFC"),
    find(out, "queue", "ECN", queue),
    find(out, "queue", "Kmin", queue),
    find(stages, "in", "IP MTU") ?? find(stages, "in", "MTU"),
  ];
};
const walk = (a, nic, b) => {
  const left = new Map([[b, 0]]),
    waiting = [b];
  while (waiting.length) {
    const here = waiting.shift();
    if (here !== b && data.devices[here][2] !== "switch") continue;
    for (const port of near(here))
      if (!left.has(port[3])) {
        left.set(port[3], left.get(here) + 1);
        waiting.push(port[3]);
      }
  }
  const hops = [[{ device: a, in: [], out: [text(nic[0])] }]];
  let at = new Map([[nic[3], new Set([text(nic[5])])]]);
  if (!left.has(nic[3])) return null;
  while (at.size) {
    const next = new Map(),
      row = [];
    for (const [device, into] of at) {
      const exits =
        device === b
          ? []
          : near(device).filter(
              (port) => (data.devices[port[3]][2] === "switch" || port[3] === b) && left.get(port[3]) === left.get(device) - 1,
            );
      row.push({ device, in: [...into], out: exits.map((port) => text(port[0])) });
      for (const port of exits) {
        if (!next.has(port[3])) next.set(port[3], new Set());
        next.get(port[3]).add(text(port[5]));
      }
    }
    hops.push(row);
    at = next;
  }
  return hops;
};
const COMPARED = new Set([0, 2, 3, 4]);
const TITLES = ["Hop", "Device", "In", "Out", "DSCP", "Class", "No-drop", "PFC", "ECN", "Kmin", "IP MTU", "Wrong there"];
const names = (device, list) =>
  list.length > 3
    ? [portLink(device, list[0]), ` and ${list.length - 1} more`]
    : list.flatMap((name, number) => [number ? ", " : "", portLink(device, name)]);
const trace = () => {
  const a = Number(ends.elements.a.value),
    b = Number(ends.elements.b.value),
    nic = nics(a)[Number(ends.elements.nic.value)] ?? nics(a)[0];
  const hops = a === b || !nic ? null : walk(a, nic, b),
    goal = $("#hops");
  if (!hops) {
    goal.replaceChildren(
      make(
        "p",
        {},
        a === b ? "Choose two hosts." : `No way from ${text(nic?.[0] ?? -1) || "here"} to it is known: choose another NIC or host.`,
      ),
    );
    return;
  }
  const usual = {};
  const lines = hops.flatMap((row, hop) =>
    row.map((each) => ({ hop, ...each, cells: crossing(each.device, each.in[0] ?? each.out[0], each.out[0]) })),
  );
  lines.forEach((each) =>
    each.cells.forEach((cell, column) => {
      if (cell && cell.state === "known") (usual[column] ??= new Map()).set(cell.value, (usual[column]?.get(cell.value) ?? 0) + 1);
    }),
  );
  const common = (column) => [...(usual[column] ?? [])].sort((x, y) => y[1] - x[1])[0]?.[0];
  const departs = (cell, column) => {
    const is = COMPARED.has(column) && cell?.state === "known" && cell.value !== common(column);
    return make("td", { class: is ? "differs" : null }, cell ? `${is ? "≠ " : ""}${cell.value}` : "");
  };
  goal.replaceChildren(
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Hops" },
      make(
        "table",
        {},
        make(
          "caption",
          {},
          `RDMA packets from ${data.names[a]} ${text(nic[0])} to ${data.names[b]}: each hop, a cell that departs from the other hops has ≠`,
        ),
        make("thead", {}, make("tr", {}, ...TITLES.map((title) => make("th", { scope: "col" }, title)))),
        make(
          "tbody",
          {},
          ...lines.map((each) => {
            const found = [...each.in, ...each.out].flatMap((name) => byPort.get(`${each.device}/${name}`) ?? []),
              level = worst(found);
            return make(
              "tr",
              {},
              make("td", { class: "n" }, `${each.hop}`),
              make("th", { scope: "row" }, make("a", { href: `#d${each.device}` }, data.names[each.device])),
              make("td", {}, ...names(each.device, each.in)),
              make("td", {}, ...names(each.device, each.out)),
              ...each.cells.map((cell, column) => departs(cell, column)),
              make(
                "td",
                { class: level || null },
                level ? `${SIGNS[level]} ${[...new Set(found.map((each) => each.rule))].join(" ")}` : "·",
              ),
            );
          }),
        ),
      ),
    ),
  );
};
if (ends && hosts.length > 1) {
  ends.hidden = false;
  const host = (number) => make("option", { value: number }, data.names[number]);
  ends.elements.a.append(...hosts.map(host));
  ends.elements.b.append(...hosts.map(host));
  const fill = () =>
    ends.elements.nic.replaceChildren(
      ...nics(Number(ends.elements.a.value)).map((port, number) => make("option", { value: number }, text(port[0]))),
    );
  fill();
  const first = nics(hosts[0])[0];
  ends.elements.b.value = hosts.findLast((host) => host !== hosts[0] && walk(hosts[0], first, host)) ?? hosts[1];
  ends.addEventListener("input", (event) => {
    if (event.target.name === "a") fill();
    trace();
  });
  const seen = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      seen.disconnect();
      trace();
    }
  });
  seen.observe($("#path"));
}
apply();
if (location.hash) restore();
