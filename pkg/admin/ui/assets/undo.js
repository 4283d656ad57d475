// The last steps of a form with rows can be undone: by a button that appears after each, or by Ctrl+Z before anything else is typed. In a field that one
// has typed in, the browser undoes that first.

const done = []; // each is a list of steps that are undone together: the blocks of a paste, else one
let typed = false;

const said = { add: t("Added."), insert: t("Added."), copy: t("Copied."), remove: t("Removed."), up: t("Moved."), down: t("Moved."), move: t("Moved."), put: t("Moved.") };

// reversed is the step that undoes one; "" restores the fields of a removed row.
function reversed(step, before) {
  const [verb, row, arg] = step.split(" ");
  const at = row.lastIndexOf(".");
  const list = row.slice(0, at), index = Number(row.slice(at + 1));
  if (verb === "add") {
    const rows = before.map(([name]) => (name.startsWith(`${row}.`) ? Number.parseInt(name.slice(row.length + 1), 10) : -1)).filter((n) => n >= 0);
    const first = Number.parseInt(before.find(([name]) => name === `${row}._rows`)?.[1], 10) || 0; // of a part of a long list
    return `remove ${row}.${Math.max(first - 1, ...rows) + 1}`;
  }
  return {
    insert: `remove ${row}`, copy: `remove ${list}.${index + 1}`, up: `down ${list}.${index - 1}`, down: `up ${list}.${index + 1}`,
    move: `move ${list}.${arg} ${index}`, put: `put ${arg} ${row}`, remove: "",
  }[verb];
}

// offer remembers a step that was done, with the fields of the form before it.
export function offer(asked, before) {
  const pasted = /^put _clip\.(\d+)/;
  const part = pasted.exec(asked)?.[1]; // which of several blocks
  const step = asked.replace(pasted, "insert");
  const [verb, row, arg] = step.split(" ");
  if (!said[verb] || (arg && (verb === "up" || verb === "down"))) return;
  const fields = verb === "remove" ? before.filter(([name]) => name.startsWith(`${row}.`)) : [];
  if (!(part > 0 && done.length)) done.push([]);
  done.at(-1).push({ row, back: reversed(step, before), fields });
  typed = false;
  show(said[verb]);
}

const show = (text) => tell(make("span", { textContent: text }), " ", make("button", { type: "button", textContent: t("Undo"), title: t("Undo (Ctrl+Z)"), onclick: undo }));

function undo() {
  const last = done.pop();
  if (!last) return;
  tell();
  steps = steps.then(async () => {
    while (last.length && await take(last.at(-1))) last.pop();
    if (last.length) done.push(last);
  });
}

// take undoes a step, and returns whether that went well.
async function take({ row, back, fields }) {
  const form = document.querySelector("main form.form");
  const body = new FormData();
  const sent = stateOf(form);
  for (const [name, value] of new FormData(form)) body.append(back ? name : renamed(name, `insert ${row}`), value);
  for (const [name, value] of fields) body.append(name, value);
  body.set("_do", back || "undo");
  const answer = await askPage(form.action, bodyOf(form, null, body));
  const next = answer?.ok && (await pageOf(answer)).querySelector("main form.form");
  if (!next) return void show(answer ? t("Not undone.") : unconnected);
  swapForm(form, next, sent, back || `insert ${row}`);
  document.getElementById(`f-${back ? row.replace(/\.\d+$/, "") : row}`)?.focus();
  return true;
}

// Rows of another person move those of this form: the last step follows its row, and earlier ones no longer hold.
document.addEventListener("form-swapped", ({ detail: { form, was, step } }) => {
  const now = rowIds(form);
  if (!/^(resume|keep|take)/.test(step) || String([...was]) === String([...now])) return;
  const last = done.pop();
  done.length = 0;
  if (!last) return;
  const moved = last.map(({ row, back, fields }) => {
    const to = sameRow(was, now, row);
    return { row: to, back: back && sameStep(was, now, back), fields: fields.map(([name, value]) => [to + name.slice(row.length), value]) };
  });
  if (last.some(({ back }, i) => back && !moved[i].back)) tell();
  else done.push(moved);
});

document.addEventListener("input", ({ inputType }) => { typed ||= inputType !== "historyUndo"; });
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !done.length) return;
  const { target } = event;
  if ((typed || target.value !== target.defaultValue) && target.closest?.("input, textarea, [contenteditable], [data-editor]")) return;
  event.preventDefault();
  undo();
});
