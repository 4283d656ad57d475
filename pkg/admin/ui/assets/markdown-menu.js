// The menu that opens below the cursor: commands after a slash at the beginning of a line, those of a table after one at the
// beginning of a cell, entries after [[.

// menu is the extension of one editor; found(text) gives the choices for what stands before the cursor, null for none.
export function menu(cm, root, found) {
  const { EditorView, Prec, keymap } = cm;
  const list = make("ul", { id: "menu", className: "menu", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", t("Insert"));
  root.append(list);
  let choices = [], at = 0, from = 0, turn = 0, dismissed = -1;

  const close = () => {
    turn++;
    choices = [];
    list.hidden = true;
  };
  const mark = (view, to) => {
    at = (to + choices.length) % choices.length;
    [...list.children].forEach((li, i) => { li.ariaSelected = String(i === at); });
    list.children[at].scrollIntoView({ block: "nearest" });
    view.dispatch({}); // so that the attributes are asked for again
  };
  const pick = (view, choice) => {
    const { head } = view.state.selection.main;
    const start = from;
    close();
    view.dispatch({ changes: { from: start, to: head }, userEvent: "input" });
    choice.run(view);
  };
  const show = (view) => {
    list.replaceChildren(...choices.map((choice, i) => {
      const li = make("li", { id: `menu-${i}`, textContent: choice.name });
      li.setAttribute("role", "option");
      if (choice.note) li.append(" ", make("small", { textContent: choice.note }));
      li.onmousedown = (event) => {
        event.preventDefault();
        pick(view, choice);
      };
      return li;
    }));
    list.hidden = false;
    view.requestMeasure({
      read: () => [view.coordsAtPos(from), root.host.getBoundingClientRect()],
      write: ([place, host]) => {
        if (!place) return;
        list.style.top = `${place.bottom - host.top + 4}px`;
        list.style.insetInlineStart = `${Math.max(0, Math.min(getComputedStyle(root.host).direction === "rtl" ? host.right - place.right : place.left - host.left, host.width - 260))}px`;
      },
    });
    mark(view, 0);
  };
  const look = async (view) => {
    const { state } = view;
    const { head, empty } = state.selection.main;
    const line = state.doc.lineAt(head);
    const before = state.sliceDoc(line.from, head);
    const kinds = { command: /^(\s*)\/([\p{L}\p{N} ]{0,20})$/u, table: /^(.*\|\s*)\/([\p{L}\p{N} ]{0,20})$/u, entry: /^(.*)\[\[([^\]]*)$/ };
    const kind = empty && view.hasFocus ? Object.keys(kinds).find((name) => kinds[name].test(before)) : null;
    const match = kind ? before.match(kinds[kind]) : null;
    if (!match || dismissed === line.from) {
      if (!match) dismissed = -1;
      if (!list.hidden) close();
      return;
    }
    const mine = ++turn;
    const next = await found(kind, match[2]);
    if (mine !== turn) return;
    from = line.from + match[1].length;
    choices = next;
    if (choices.length === 0) close();
    else show(view);
  };
  const open = (use) => (view) => {
    if (list.hidden) return false;
    use(view);
    return true;
  };
  return [
    EditorView.updateListener.of((update) => {
      if (update.docChanged || update.selectionSet || update.focusChanged) Promise.resolve().then(() => look(update.view));
    }),
    EditorView.contentAttributes.of(() => (list.hidden ? null : { "aria-controls": "menu", "aria-activedescendant": `menu-${at}` })),
    Prec.highest(keymap.of([
      { key: "ArrowDown", run: open((view) => mark(view, at + 1)) },
      { key: "ArrowUp", run: open((view) => mark(view, at - 1)) },
      { key: "Enter", run: open((view) => pick(view, choices[at])) },
      { key: "Tab", run: open((view) => pick(view, choices[at])) },
      { key: "Escape", run: open((view) => {
        dismissed = view.state.doc.lineAt(view.state.selection.main.head).from;
        close();
        view.dispatch({});
      }), stopPropagation: true },
    ])),
  ];
}

// style is that of the menu.
export const style = `
  .menu { position: absolute; z-index: 7; margin: 0; padding: .35rem; list-style: none; width: min(16rem, 100%); max-height: 15rem; overflow: auto; background: var(--card); color: var(--text);
    border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--lifted); font: 15px/1.5 var(--sans); }
  .menu[hidden] { display: none; }
  .menu li { padding: .35rem .6rem; border-radius: 6px; cursor: pointer; }
  .menu li[aria-selected=true] { background: var(--accent-soft); color: var(--accent); }
  .menu small { color: var(--soft); }
`;
