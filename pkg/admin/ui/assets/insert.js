// The dialog that asks which row to add: of which type, or with the values of which preset.

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
