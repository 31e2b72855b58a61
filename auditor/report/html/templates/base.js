const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
};
const SIGNS = { error: "✖", warning: "▲", note: "●" };
const LEVELS = ["error", "warning", "note"],
  KINDS = ["fail", "open", "ignored"],
  STATES = ["", "new", "unchanged"];
const badge = (level) => make("span", { class: `level ${level}` }, make("span", { "aria-hidden": "true" }, SIGNS[level]), ` ${level}`);

for (const button of $$(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(`${source.textContent}\n`);
    } catch {
      getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
}
const unfolded = [];
addEventListener("beforeprint", () => {
  for (const each of $$("details:not([open])")) {
    unfolded.push(each);
    each.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const each of unfolded.splice(0)) each.open = false;
});
const reveal = (id) => {
  const target = id && document.getElementById(id);
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  const inner = target && target.tagName === "TR" && $("details", target);
  if (inner) inner.open = true;
  return target;
};

addEventListener(
  "toggle",
  (event) => {
    for (const goal of $$(":scope > .ports, :scope > .inside > .ports-of", event.target)) if (event.target.open) fillPorts?.(goal);
  },
  true,
);
let fillPorts = null;

const holder = document.getElementById("data");
if (!holder) return;
const data = JSON.parse(holder.textContent);
const text = (number) => (number < 0 ? "" : data.texts[number]);
for (const each of $$(".tools, #filter")) each.hidden = false;
