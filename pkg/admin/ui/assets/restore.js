// The text that was typed before a crash is offered above the form until it is brought back or dropped.

export function offer(copy, offered) {
  const note = make("div", { className: "notice warn" }, make("p", { textContent: t("Text of {1} was not saved.", clock(new Date(copy.at))) }));
  const done = () => { note.remove(); forgetCopy(offered); };
  const restore = make("button", { type: "button", textContent: t("Bring it back"), onclick: async () => ((await bring(theForm(), copy.fields)) ? done() : tell(unconnected)) });
  const drop = make("button", { type: "button", textContent: t("Drop it"), onclick: done });
  note.append(make("p", {}, restore, " ", drop));
  bar.after(note);
  announce(note.firstChild.textContent);
}

async function bring(form, fields) {
  const body = new FormData();
  body.set("_csrf", form.elements._csrf.value);
  for (const [name, value] of fields) body.append(name, value);
  body.set("_do", "resume");
  const next = (await pageAt(form.action, body))?.getElementById("entry");
  if (next) swapForm(form, next, stateOf(form), "resume");
  return next;
}
