// Rows and blocks of an entry: dragged by a handle that the arrow keys move too, put in between others, and folded.
// Without this script they are added, copied, moved and removed by buttons.
"use strict";

{
  const rowsOf = (list) => [...list.querySelectorAll(":scope > fieldset.group")];
  const nameOf = (e) => e.id.slice(2); // of the field, after "f-"
  const titleOf = (row) => row.querySelector(":scope > legend").firstChild.data.trim();
  const folded = new Set(); // names of rows

  // take sends a step of the form, as a button of the row would.
  const take = (row, value, to) => {
    const b = make("button", { name: "_do", value, formNoValidate: true, formAction: `${row.form.getAttribute("action")}#f-${to}`, hidden: true });
    row.querySelector(".steps-of").append(b);
    row.form.requestSubmit(b); // the answer replaces the form, with the button
  };
  const kept = (row, verb) => [...row.querySelectorAll(":scope > .steps-of > button[name=_do]")].find((b) => b.value.startsWith(`${verb} `));

  // fold hides the fields of a row; the first words of its texts stand for them, and the names of what it refers to.
  function fold(row, on) {
    row.classList.toggle("folded", on);
    folded[on ? "add" : "delete"](nameOf(row));
    const b = row.querySelector(":scope > .steps-of > .fold");
    b.ariaExpanded = String(!on);
    b.textContent = on ? (onward === "ArrowLeft" ? "◂" : "▸") : "▾";
    const texts = [...row.querySelectorAll("textarea, input[type=text], .choice :checked ~ .what")].map((e) => (e.value ?? e.textContent).trim()).filter(Boolean);
    row.querySelector(":scope > legend > small").textContent = on ? texts.join(" · ").slice(0, 80) : "";
  }

  // insert adds a row before another one or, without one, at the end of a list.
  const insert = async (list, row) => (await load("insert"))?.insert(list, row, (value) => take(row, value, nameOf(row)));

  // dragging moves a row of a list to the place where the pointer lets go.
  const dragging = (list) => ({
    draggable: "fieldset.group",
    onEnd: ({ item, oldDraggableIndex: from, newDraggableIndex: to }) => {
      const at = Number(nameOf(item).split(".").at(-1)); // a page may begin amid a long list
      if (from !== to) take(item, `move ${nameOf(item)} ${at + to - from}`, `${nameOf(list)}.${at + to - from}`);
    },
  });

  const button = (textContent, ariaLabel, onclick, more) => make("button", { type: "button", textContent, ariaLabel, onclick, ...more });

  // Blocks are copied and pasted by a module that comes with the first that is copied.
  const isBlock = (row) => row.querySelector(":scope > [name$='.type']");
  const copies = (of) => async () => (await load("clip"))?.copy(of);
  const paste = async () => localStorage.blocks && (await load("clip"))?.offer();
  addEventListener("storage", paste);

  function equip(row) {
    const list = row.parentElement;
    const bar = row.querySelector(":scope > .steps-of");
    if (!bar || bar.querySelector(".drag")) return;
    const title = titleOf(row);
    const handle = dragHandle(title, list, dragging(list), (key) => {
      const verb = { ArrowUp: "up", ArrowDown: "down" }[key];
      const b = verb && kept(row, verb);
      if (!b) return;
      const to = Number(nameOf(row).split(".").at(-1)) + (verb === "up" ? -1 : 1);
      refocus = `${nameOf(list)}.${to}`;
      b.form.requestSubmit(b);
    });
    const toggle = button("▾", t("Fold {1}", title), () => fold(row, toggle.ariaExpanded === "true"), { className: "fold", title: t("Fold"), ariaExpanded: "true" });
    const before = button("+", t("Insert before {1}", title), () => insert(list, row), { title: t("Insert before") });
    row.querySelector(":scope > legend").append(" ", make("small", { className: "muted" }));
    bar.prepend(handle, toggle, before);
    if (isBlock(row)) kept(row, "copy")?.before(button(t("Copy"), t("Copy: {1}", title), copies(row)));
    if (folded.has(nameOf(row))) fold(row, true);
  }

  // equipAll does so for every row, and lets all rows of a list be folded at once.
  function equipAll(root) {
    for (const list of root.querySelectorAll("fieldset.rows")) {
      const rows = rowsOf(list);
      rows.forEach(equip);
      if (rows.length < 2 || list.querySelector(":scope > .add > .fold-all")) continue;
      list.querySelector(":scope > .add").append(button(t("Fold or unfold all"), null, () => {
        const on = rowsOf(list).some((row) => !row.classList.contains("folded"));
        rowsOf(list).forEach((row) => fold(row, on));
      }, { className: "fold-all quiet" }), isBlock(rows[0]) ? button(t("Copy all"), null, copies(list), { className: "quiet" }) : "");
    }
    paste();
  }

  let refocus = null; // the row whose handle has the focus after a step
  document.addEventListener("form-swapped", ({ detail: { form, step } }) => {
    const names = [...folded].map((name) => renamed(`${name}.x`, step)?.slice(0, -2));
    folded.clear();
    names.filter(Boolean).forEach((name) => folded.add(name));
    equipAll(form);
    const handle = refocus && document.getElementById(`f-${refocus}`)?.querySelector(":scope > .steps-of > .drag");
    refocus = null;
    handle?.focus();
  });
  // The preview asks for a row by the buttons that it has for blocks.
  document.addEventListener("insert-row", ({ detail: { list, before } }) => insert(list, before));
  // Enter in the name of a preset saves the preset, not the entry.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.name?.endsWith("._preset.name")) return;
    event.preventDefault();
    event.target.closest("fieldset").querySelector("button[value^='save ']").click();
  });
  // A link to a field inside of a folded row opens it.
  document.addEventListener("click", ({ target }) => {
    const field = document.getElementById(target.closest?.("#problems a")?.hash.slice(1));
    for (let row = field?.closest(".folded"); row; row = row.parentElement.closest(".folded")) fold(row, false);
  }, true);
  const form = document.querySelector("#entry, main form.form");
  if (form && !form.querySelector(".sheet:disabled")) equipAll(form);
}
