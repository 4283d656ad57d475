// Find and replace in a text: the editor draws only what is near, so that the browser's own search does not see the rest.

const input = (label) => {
  const id = `markdown-find-${label.length}`;
  const box = make("input", { type: "text", id, autocomplete: "off" });
  return [make("div", { className: "field" }, make("label", { htmlFor: id, textContent: label }), box), box];
};

// open shows the panel above a text, or goes to its field if it is there.
export function open(editor, label) {
  const { view, box } = editor;
  const there = box.querySelector(".markdown-find input");
  if (there) return there.select();
  const [findBox, find] = input("Find");
  const [withBox, replaced] = input("Replace with");
  const says = make("span", { className: "muted" });
  says.setAttribute("role", "status");
  const places = () => {
    const words = new RegExp(find.value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
    return !find.value ? [] : [...view.state.doc.toString().matchAll(words)].map(({ index }) => index);
  };
  // show marks what was found, while the focus is in the panel.
  const show = (from, to) => {
    const range = new Range(), [a, b] = [view.domAtPos(from), view.domAtPos(to)];
    range.setStart(a.node, a.offset);
    range.setEnd(b.node, b.offset);
    CSS.highlights?.set("found", new Highlight(range));
  };
  const go = (by) => {
    const list = places();
    const { from, to } = view.state.selection.main;
    let i = by > 0 ? list.findIndex((at) => at >= to) : list.findLastIndex((at) => at < from);
    if (i < 0) i = by > 0 ? 0 : list.length - 1;
    says.textContent = list.length ? t("{1} of {2}", i + 1, list.length) : find.value ? t("Not found") : "";
    if (!list.length) return;
    view.dispatch({ selection: { anchor: list[i], head: list[i] + find.value.length }, scrollIntoView: true });
    requestAnimationFrame(() => show(list[i], list[i] + find.value.length));
  };
  const one = () => {
    const { from, to } = view.state.selection.main;
    if (find.value && view.state.sliceDoc(from, to).toLowerCase() === find.value.toLowerCase()) view.dispatch({ changes: { from, to, insert: replaced.value }, selection: { anchor: from + replaced.value.length }, userEvent: "input" });
    go(1);
  };
  const all = () => {
    const list = places();
    view.dispatch({ changes: list.map((from) => ({ from, to: from + find.value.length, insert: replaced.value })), userEvent: "input" });
    says.textContent = tn(list.length, "{1} replaced", "{1} replaced");
  };
  const close = () => {
    panel.remove();
    CSS.highlights?.delete("found");
    view.focus();
  };
  const button = (text, onclick) => make("button", { type: "button", textContent: text, onclick });
  const panel = make("div", { className: "markdown-find" }, findBox, button(t("Previous"), () => go(-1)), button(t("Next"), () => go(1)), withBox, button(t("Replace"), one), button(t("Replace all"), all), button(t("Close"), close), says);
  panel.setAttribute("role", "search");
  panel.setAttribute("aria-label", t("Find in: {1}", label));
  panel.onkeydown = (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === find) go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === replaced) one();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  box.querySelector(".markdown-bar").after(panel);
  const { from, to } = view.state.selection.main;
  find.value = view.state.sliceDoc(from, Math.min(to, from + 100));
  find.select();
}
