// Links and pasted texts on their way into an editor of Markdown, and the menu below its cursor.

const asked = async (address) => (await resultOf(await askJSON(address))).data;

// entries finds entries by words.
export const entries = async (q) => {
  const found = q.trim() && (await asked(`/admin/links?q=${encodeURIComponent(q.trim())}`));
  const languages = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });
  return (found || []).map((e) => ({ ...e, locale: e.locale && languages.of(e.locale) }));
};

const escaped = (text) => text.replace(/[[\]\\]/g, "\\$&").replace(/\s*\n\s*/g, " ");
const target = (address) => (/[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address);
export const linkText = (text, address) => `[${escaped(text)}](${target(address)})`;

const replace = (view, from, to, insert, on = 0) => {
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length + on }, userEvent: "input", scrollIntoView: true });
  view.focus();
};

let ids = 0;
const field = (label, properties, help) => {
  const input = make("input", { id: `markdown-input-${++ids}`, ...properties });
  const box = make("div", { className: "field" }, make("label", { htmlFor: input.id, textContent: label }), input);
  if (help) {
    box.append(make("p", { id: `${input.id}-help`, className: "help", textContent: help }));
    input.setAttribute("aria-describedby", `${input.id}-help`);
  }
  return [box, input];
};

// dialog is a question with a form; use is called when it is sent.
function dialog(title, parts, yes, use, closed) {
  const form = make("form", {}, make("h2", { id: "markdown-dialog", textContent: title }), ...parts);
  const cancel = make("button", { type: "button", textContent: t("Cancel") });
  form.append(make("div", { className: "submit" }, make("button", { className: "primary", textContent: yes }), cancel));
  const box = make("dialog", { className: "question" }, form);
  box.setAttribute("aria-labelledby", "markdown-dialog");
  form.onsubmit = async (event) => {
    event.preventDefault();
    if ((await use()) !== false) box.close();
  };
  cancel.onclick = () => box.close();
  box.onclose = () => {
    box.remove();
    closed();
  };
  document.body.append(box);
  box.showModal();
  return box;
}

// link asks for the address of a link, or for an entry; the selected text or the link at the cursor is replaced.
export function link(cm, view) {
  const { state } = view;
  let { from, to: end } = state.selection.main;
  let text = state.sliceDoc(from, end), address = "";
  let node = cm.syntaxTree(state).resolveInner(from, from === end ? -1 : 1);
  while (node && node.name !== "Link") node = node.parent;
  const there = node?.getChild("URL");
  if (there) {
    [from, end] = [node.from, node.to];
    text = state.sliceDoc(from, end).replace(/^\[([\s\S]*?)\]\([\s\S]*$/, "$1");
    address = state.sliceDoc(there.from, there.to);
  } else if (/^https?:\/\/\S+$/.test(text)) {
    address = text;
  }
  const [textBox, textInput] = field(t("Text"), { value: text });
  const [addressBox, addressInput] = field(t("Address, or words of an entry"), { value: address, required: true, autocomplete: "off", spellcheck: false, dir: "auto" });
  const found = make("ul", { className: "found" });
  const says = make("p", { className: "help" });
  says.setAttribute("role", "status");
  // words are what is typed unless it is an address.
  const words = () => {
    const typed = addressInput.value.trim();
    return typed === address || /^(?=\S+$)([a-z][\w+.-]*:|[/#?.]|.+\.)./i.test(typed) ? "" : typed;
  };
  let typing, mine = 0;
  const search = async () => {
    const turn = ++mine;
    const list = words() ? await entries(words()) : [];
    if (turn !== mine) return;
    says.textContent = !words() ? "" : tn(list.length, "{1} entry", "{1} entries");
    found.replaceChildren(...list.map((e) => make("li", {}, make("button", { type: "button", onclick: () => {
      addressInput.value = `cms://entry/${e.id}`;
      textInput.value ||= e.title;
      textInput.form.requestSubmit();
    } }, e.title, " ", make("small", { className: "muted", textContent: [e.model, e.locale].filter(Boolean).join(", ") })))));
  };
  addressInput.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(search, 200);
  };
  dialog(t("Link"), [textBox, addressBox, says, found], t("Insert"), async () => {
    const to = addressInput.value.trim().replace(/^www\./, "https://$&");
    if (!words()) return replace(view, from, end, linkText(textInput.value || to, to));
    clearTimeout(typing);
    await search();
    found.querySelector("button")?.focus();
    return false;
  }, () => view.focus());
  addressInput.focus();
}

const mayUpload = () => "direct" in theForm().dataset;

// What the module of pictures needs of this one. It comes with the first picture.
const parts = { asked, dialog, field, linkText, mayUpload, replace };

// image asks for a picture of the library.
export const image = (cm, view) => load("markdown-pictures").then((pictures) => (pictures ? pictures.image(view, parts) : tell(unconnected)));

// pasted handles what is pasted or dropped, and reports whether it did. say shows what was left out.
export function pasted(view, data, say) {
  const files = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  const html = data?.getData("text/html") ?? "";
  const plain = data?.getData("text/plain") ?? "";
  if (files.length > 0 && !plain.trim() && mayUpload()) {
    load("markdown-pictures").then((pictures) => pictures.send(view, files, parts)).catch(() => say(t("The connection broke.")));
    return true;
  }
  const { from, to } = view.state.selection.main;
  const chosen = view.state.sliceDoc(from, to);
  if (/^https?:\/\/\S+$/.test(plain.trim()) && chosen.trim() && !chosen.includes("\n") && !/^https?:/.test(chosen)) {
    replace(view, from, to, `[${chosen}](${target(plain.trim())})`);
    return true;
  }
  if (!html || data.types.includes("vscode-editor-data")) return false;
  load("markdown-paste").then((paste) => paste.richText(html, paste.stored)).catch(() => ({ text: plain, lost: [] })).then(({ text, lost }) => {
    view.dispatch(view.state.replaceSelection(text || plain), { userEvent: "input.paste", scrollIntoView: true });
    say(lost.length ? t("Not kept of what was pasted: {1}.", lost.join(", ")) : "");
  });
  return true;
}

// menu is the extension of one editor that opens a list below the cursor: commands after a slash at the beginning of a line,
// those of a table after one at the beginning of a cell, entries after [[. found(text) gives the choices for what stands before
// the cursor, null for none.
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

// menuStyle is the style of that list.
export const menuStyle = `
  .menu { position: absolute; z-index: 7; margin: 0; padding: .35rem; list-style: none; width: min(16rem, 100%); max-height: 15rem; overflow: auto; background: var(--card); color: var(--text);
    border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--lifted); font: .9375rem/1.5 var(--sans); }
  .menu[hidden] { display: none; }
  .menu li { padding: .35rem .6rem; border-radius: 6px; cursor: pointer; }
  .menu li[aria-selected=true] { background: var(--accent-soft); color: var(--accent); }
  .menu small { color: var(--soft); }
`;
