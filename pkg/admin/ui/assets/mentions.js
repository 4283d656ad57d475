// Names after "@" in a comment: those of the people who may read the entry, in a list below the text.

const list = make("ul", { id: "mentions", className: "mentions" });
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", t("Colleagues"));
let box = null; // the text whose names are listed
let chosen = 0, dismissed = -1; // dismissed is the place of an "@" whose list was closed

function close() {
  for (const name of ["aria-controls", "aria-activedescendant"]) box?.removeAttribute(name);
  box = null;
  list.remove();
  announce("");
}

// begun is the "@" before the cursor, with the letters after it; null without one.
function begun(text) {
  const before = text.value.slice(0, text.selectionStart);
  const match = text.selectionStart === text.selectionEnd && /(?<![\p{L}\p{N}])@([^@\n]{0,60})$/u.exec(before);
  return match ? { at: match.index, q: match[1].toLowerCase() } : null;
}

function mark(to) {
  const items = [...list.children];
  chosen = (to + items.length) % items.length;
  items.forEach((li, i) => { li.ariaSelected = String(i === chosen); });
  items[chosen].scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", items[chosen].id);
}

// take writes a name in the place of what was typed. Where two people have the same name, the service knows them by their ids.
function take({ value, text }) {
  const target = box;
  const { at } = begun(target);
  const twins = [...document.querySelectorAll("#c-assignee option")].filter((option) => option.text === text);
  const next = target.value.slice(target.selectionStart, target.selectionStart + 1);
  close();
  target.setSelectionRange(at, target.selectionStart);
  document.execCommand("insertText", false, `@${twins.length > 1 ? value : text}${/[\s.,;:!?)]/.test(next) ? "" : " "}`);
}

// offer lists the names that begin with what was typed after "@", in any of their words.
export function offer(text) {
  const word = begun(text);
  if (word?.at !== dismissed) dismissed = -1;
  const found = word && dismissed < 0 && text === document.activeElement ? [...document.querySelectorAll("#c-assignee option")].filter((option) => option.value && ` ${option.text.toLowerCase()}`.includes(` ${word.q}`)) : [];
  if (!found.length) return close();
  if (!text.hasAttribute("aria-autocomplete")) {
    text.setAttribute("aria-autocomplete", "list");
    text.setAttribute("aria-haspopup", "listbox");
    text.addEventListener("blur", close);
  }
  box = text;
  box.setAttribute("aria-controls", list.id);
  list.replaceChildren(...found.map((option, i) => {
    const li = make("li", { id: `mention-${i}`, role: "option", textContent: option.text, onclick: () => take(option) });
    li.onmousedown = (event) => event.preventDefault(); // the text keeps the focus
    return li;
  }));
  text.after(list);
  announce(tn(found.length, "{1} name. Enter takes it.", "{1} names. Arrow keys choose, Enter takes one."));
  mark(0);
}

// Escape closes the list alone: what is around it closes at the same key, so this listener comes before all others.
addEventListener("keydown", (event) => {
  if (!list.isConnected || box !== event.target) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const takes = (event.key === "Enter" || event.key === "Tab") && !event.shiftKey && !event.ctrlKey && !event.metaKey;
  if (!by && !takes && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  if (by) return mark(chosen + by);
  if (takes) return list.children[chosen].click();
  dismissed = begun(box)?.at ?? -1;
  close();
}, true);

document.addEventListener("selectionchange", () => box && (begun(box) ? undefined : close()));
