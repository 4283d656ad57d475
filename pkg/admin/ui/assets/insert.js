// The dialog that asks which row to add: of which type, with the values of which preset, or one that was copied.

// insert asks by the buttons of the list. A step for a row is taken in its place.
export function insert(list, row, take) {
  const buttons = [...list.querySelectorAll(":scope > .add button:is([name=_do], .paste)")];
  const put = (b) => (b.paste ? b.paste(row) : row ? take(b.value.replace(/^add \S+/, `insert ${row.id.slice(2)}`)) : b.click());
  if (buttons.length === 1) put(buttons[0]);
  else choose(buttons, row ? t("Insert before {1}", row.querySelector("legend").firstChild.data.trim()) : t("Add at the end"), put);
}

export function choose(buttons, text, put) {
  if (document.querySelector("dialog.question")) return; // the first click of two has opened it
  const title = make("h2", { id: "insert-title", textContent: text });
  const box = make("dialog", { className: "question" }, title, make("div", { className: "kinds" }, ...buttons.map((b) => make("button", { type: "button", onclick: () => {
    box.close();
    put(b);
  } }, ...b.cloneNode(true).childNodes))), make("div", { className: "submit" }, make("button", { type: "button", textContent: t("Cancel"), onclick: () => box.close() })));
  box.setAttribute("aria-labelledby", title.id);
  box.onclose = () => box.remove();
  document.body.append(box);
  box.showModal();
}
