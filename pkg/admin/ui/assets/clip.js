// Blocks that were copied, to be pasted elsewhere in this browser: into another field, entry or tab. They stay until others are copied.

export const kindOf = ({ fields }) => fields.find(([name]) => name === "type")?.[1];

// copied are the copied blocks of this person that have one of some types, each with its title and its inputs. It is empty if the browser keeps nothing.
export function copied(kinds) {
  try {
    const { by, blocks } = JSON.parse(localStorage.blocks);
    return by === me ? blocks.filter((block) => kinds.includes(kindOf(block))) : [];
  } catch {
    return [];
  }
}

// copy keeps a block, or all blocks of a list, of a form.
export function copy(of) {
  const rows = of.matches(".rows") ? [...of.querySelectorAll(":scope > fieldset.group")] : [of];
  const fields = [...new FormData(of.form)]; // editors put their texts into the form for it
  keep(rows.map((row) => {
    const prefix = `${row.id.slice(2)}.`;
    const own = fields.filter(([name]) => name.startsWith(prefix) && !name.includes("._preset."));
    return { title: row.querySelector("legend").firstChild.data.trim().replace(/^\d+\. /, ""), fields: own.map(([name, value]) => [name.slice(prefix.length), value]) };
  }));
}

export function keep(blocks) {
  try {
    localStorage.blocks = JSON.stringify({ by: me, blocks });
    tell(t("Copied."));
  } catch {
    tell(t("This browser cannot keep a copy as long as this."));
  }
  offer();
}

// pasteButton is a button that offers blocks. put gets the row before which they go.
export const pasteButton = (blocks, put) => make("button", { type: "button", className: "paste quiet", paste: put, onclick: () => put() },
  blocks.length > 1 ? t("Paste blocks") : t("Paste block"), " ", make("small", { textContent: blocks.map(({ title }) => title).join(", ") }));

// offer shows a button to paste at each list that takes one of the copied blocks.
export function offer() {
  for (const list of document.querySelectorAll("form.form fieldset.rows")) {
    const add = list.querySelector(":scope > .add");
    add.querySelector(":scope > .paste")?.remove();
    const kinds = [...add.querySelectorAll("button[name=_do]")].map((b) => b.value.split(" ")[2]);
    const blocks = copied(kinds);
    if (blocks.length) add.append(pasteButton(blocks, (row) => paste(list, row, blocks)));
  }
}

// paste puts blocks before a row or, without one, at the end of a list. Each is a step of the form that moves a row into the list. The number of its
// block tells undo.js which steps belong together.
async function paste(list, before, blocks) {
  const { form } = list;
  const name = list.id.slice(2);
  await steps; // earlier ones replace the form
  const last = document.getElementById(list.id).querySelector(":scope > fieldset.group:last-of-type");
  let at = before ? Number(before.id.split(".").at(-1)) : last ? Number(last.id.split(".").at(-1)) + 1 : 0;
  for (const [i, { fields }] of blocks.entries()) {
    const to = `${name}.${at++}`;
    const inputs = fields.map(([field, value]) => make("input", { type: "hidden", name: `_clip.${i}.${field}`, value: /(^|\.)_id$/.test(field) ? Math.random().toString(36).slice(2, 12) : value }));
    const button = make("button", { name: "_do", value: `put _clip.${i} ${to}`, formNoValidate: true, formAction: `${form.getAttribute("action")}#f-${to}`, hidden: true });
    form.append(...inputs, button);
    form.requestSubmit(button);
    await steps;
    if (!button.isConnected) continue; // the answer replaced the form, with the button
    for (const e of [...inputs, button]) e.remove();
    return;
  }
}
