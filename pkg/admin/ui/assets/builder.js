// The builder of models: a list of the fields, which can be dragged, and the panel of one. Without a script the panels stand below one another.
"use strict";

{
  const set = () => document.getElementById("f-fields");
  const rows = () => [...set().querySelectorAll(":scope > fieldset")];
  const input = (row, key) => row.querySelector(`[name="${row.id.slice(2)}.${key}"]`);
  let shown = 0; // index of the field in the panel
  let asked = ""; // the last step

  const nameOf = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/ß/g, "ss").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const keyFrom = (text) => nameOf(text).replaceAll("-", "_").replace(/^(?=\d)/, "field_").slice(0, 64);

  const list = make("ol", { className: "field-list", ariaLabel: t("Fields in their order") });
  const hint = make("p", { className: "help field-hint", id: "field-hint", textContent: t("Drag to reorder, or press Alt with an arrow key.") });

  // describe writes what the list says of a field.
  const describe = (button, row) => {
    const type = input(row, "type");
    const kind = type.options ? type.options[type.selectedIndex]?.text.replace(/ \(.*/, "") : "";
    const wrong = row.querySelector(".wrong, [aria-invalid]") ? " ⚠" : "";
    button.replaceChildren(make("span", { textContent: (input(row, "label").value || input(row, "name").value || t("New field")) + wrong }), " ", make("small", { className: "muted", textContent: kind }));
  };

  const show = (index, focus) => {
    shown = Math.max(0, Math.min(index, rows().length - 1));
    rows().forEach((row, i) => {
      row.hidden = i !== shown;
      if (i === shown) row.querySelector("details").open = true;
    });
    [...list.children].forEach((item, i) => {
      item.firstChild.ariaCurrent = String(i === shown);
      if (i === shown && focus) item.firstChild.focus();
    });
  };

  // renumber gives the inputs of a row the index of its place.
  const renumber = (row, from, to) => {
    const was = new RegExp(`^(.*?\\bfields\\.)${from}(?![0-9])`);
    for (const e of [row, ...row.querySelectorAll("*")])
      for (const { name, value } of [...e.attributes]) if (was.test(value) && (e.localName === "button" || name !== "value")) e.setAttribute(name, value.replace(was, `$1${to}`));
    const legend = row.querySelector("legend");
    legend.textContent = legend.textContent.replace(/\d+/, to + 1);
  };

  const reorder = (order, at) => {
    const all = rows();
    order.forEach((from, to) => {
      renumber(all[from], from, to);
      set().querySelector(":scope > .add").before(all[from]);
    });
    build(at);
    list.children[at].firstChild.focus();
  };

  const move = (from, to) => {
    const order = rows().map((_, i) => i);
    if (to < 0 || to >= order.length) return;
    order.splice(to, 0, order.splice(from, 1)[0]);
    reorder(order, to);
  };

  const build = (index) => {
    set().classList.add("on");
    list.replaceChildren(...rows().map((row, i) => {
      const button = make("button", { type: "button", onclick: () => {
        show(i);
        if (row.getBoundingClientRect().top < 56) row.scrollIntoView(); // below the bar of the page
      } });
      button.setAttribute("aria-describedby", hint.id);
      describe(button, row);
      const item = make("li", { draggable: true }, button);
      item.dataset.row = row.id;
      return item;
    }));
    const add = set().querySelector(":scope > .add");
    if (!list.isConnected) add.before(list, hint);
    set().classList.toggle("few", rows().length === 0);
    show(index);
  };

  list.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (event.altKey) move(shown, shown + by);
    else show(shown + by, true);
  });

  let dragged;
  list.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("li");
    event.dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!dragged) return;
    event.preventDefault();
    if (!over || over === dragged) return;
    const before = [...list.children].indexOf(over) < [...list.children].indexOf(dragged);
    if (before) over.before(dragged);
    else over.after(dragged);
  });
  list.addEventListener("dragend", () => {
    if (!dragged) return;
    const items = [...list.children];
    const buttons = rows().map((row) => row.id);
    const order = items.map((item) => buttons.indexOf(item.dataset.row));
    const at = items.indexOf(dragged);
    dragged = null;
    reorder(order, at);
  });

  // What is typed as a label suggests the name, and the name of the model its slug, while these are new.
  let before = ""; // in the input that has the focus
  document.addEventListener("focusin", ({ target }) => { before = target.value ?? ""; });
  document.addEventListener("input", ({ target }) => {
    const form = target.form;
    if (!form?.contains(set())) return;
    const suggest = (into, make) => {
      if (into && (into.value === "" || into.value === make(before))) into.value = make(target.value);
      before = target.value;
    };
    if (target.name?.endsWith(".label")) {
      const at = target.name.slice(0, -"label".length);
      if (!form.elements[at + "was"]?.value) suggest(form.elements[at + "name"], keyFrom);
    }
    if (target.name === "name" && !form.elements._method) suggest(form.elements.slug, nameOf);
    const row = target.closest("#f-fields > fieldset");
    if (row) describe(list.children[rows().indexOf(row)].firstChild, row);
  });

  // Another type has other rules.
  document.addEventListener("change", ({ target }) => {
    if (target.localName === "select" && target.name.endsWith(".type") && set()?.contains(target)) target.parentElement.querySelector("button[name=_do]").click();
  });

  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.name === "_do") asked = submitter.value;
  }, true);
  document.addEventListener("form-swapped", () => {
    if (!set()) return;
    const [verb, row] = asked.split(" ");
    list.remove();
    hint.remove();
    const by = /^fields\.\d+$/.test(row) && { up: -1, down: 1 }[verb];
    build(verb === "add" && row === "fields" ? rows().length - 1 : shown + (by || 0));
  });

  if (set()) {
    build(Math.max(0, rows().findIndex((row) => row.querySelector(".wrong, [aria-invalid]"))));
    // A link to a mistake opens the panel that it is in.
    document.getElementById("problems")?.addEventListener("click", (event) => {
      const row = document.getElementById(event.target.hash?.slice(1))?.closest("#f-fields > fieldset");
      if (row) show(rows().indexOf(row));
    }, true);
    document.getElementById("report")?.focus();
  }
}
