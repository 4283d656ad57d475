// What the toolbar, the keys and the slash menu of an editor of Markdown do. Each command takes a view and changes its
// text by one step that can be undone.

// around puts marks around each selection, or takes them away. At the end of marked words the cursor leaves them, and spaces that end them go along,
// since no mark ends after a space.
export const around = (mark) => (view) => {
  const { state } = view;
  const n = mark.length;
  const marks = (text) => (text.match(mark === "`" ? /`+/g : /\*+/g) ?? []).filter((run) => n === 2 ? run.length > 1 : run.length % 2);
  const ends = (at, line) => state.sliceDoc(at, at + 1) === mark[0] && marks(state.sliceDoc(at, line.to).match(/^(.)\1*/)[0]).length &&
    marks(state.sliceDoc(line.from, at).replace(markOfLine, "")).length % 2;
  view.dispatch(state.changeByRange((range) => {
    const { from, to } = range;
    const outside = state.sliceDoc(from - n, from) === mark && state.sliceDoc(to, to + n) === mark;
    const inside = to - from >= 2 * n && state.sliceDoc(from, from + n) === mark && state.sliceDoc(to - n, to) === mark;
    const Range = range.constructor;
    if (outside) return { changes: [{ from: from - n, to: from }, { from: to, to: to + n }], range: Range.create(from - n, to - n) };
    if (inside) return { changes: [{ from, to: from + n }, { from: to - n, to }], range: Range.create(from, to - 2 * n) };
    if (from === to && ends(from, state.doc.lineAt(from))) {
      const space = state.sliceDoc(state.doc.lineAt(from).from, from).match(/ *$/)[0];
      return { changes: [{ from: from - space.length, to: from }, { from: from + n, insert: space }], range: Range.create(from + n, from + n) };
    }
    return { changes: [{ from, insert: mark }, { from: to, insert: mark }], range: Range.create(from + n, to + n) };
  }), { userEvent: "input", scrollIntoView: true });
  return true;
};

const markOfLine = /^(\s*)(#{1,6} +|[-*+] \[[ x]\] +|[-*+] +|\d+[.)] +|> ?)?/i;

// lines gives every selected line a mark at its beginning, or takes it away where all have it; number is its place.
export const lines = (kind, make) => (view) => {
  const { state } = view;
  const chosen = new Map();
  for (const { from, to } of state.selection.ranges) {
    for (let at = from; ;) {
      const line = state.doc.lineAt(at);
      chosen.set(line.number, line);
      if (line.to >= to) break;
      at = line.to + 1;
    }
  }
  const list = [...chosen.values()];
  const all = list.every((line) => kind.test(line.text));
  const changes = state.changes(list.map((line, i) => {
    const [whole, indent] = line.text.match(markOfLine);
    return { from: line.from + indent.length, to: line.from + whole.length, insert: all ? "" : make(i + 1) };
  }));
  view.dispatch({ changes, selection: state.selection.map(changes, 1), userEvent: "input", scrollIntoView: true });
  return true;
};

// block puts lines of their own at the cursor, and selects the part of a length at a place in them.
export const block = (text, at, length) => (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  const before = from > state.doc.lineAt(from).from ? "\n\n" : "";
  const after = to < state.doc.lineAt(to).to ? "\n\n" : "";
  const start = from + before.length + at;
  view.dispatch({ changes: { from, to, insert: before + text + after }, selection: { anchor: start, head: start + length }, userEvent: "input", scrollIntoView: true });
  return true;
};

// apart puts fences at the edges of a text that is pasted or dropped into a line on lines of their own, so that blocks stay blocks and code stays code.
export const apart = (tr) => {
  const breaks = [];
  if (["input.paste", "input.drop", "move.drop"].some((kind) => tr.isUserEvent(kind))) tr.changes.iterChanges((was, end, from, to, put) => {
    const text = put.toString(), { newDoc } = tr;
    if (/^(```|~~~).*\n/.test(text) && from > newDoc.lineAt(from).from) breaks.push({ from, insert: "\n" });
    if (/\n(```+|~~~+)$/.test(text) && to < newDoc.lineAt(to).to) breaks.push({ from: to, insert: "\n" });
  });
  return breaks.length ? [tr, { changes: breaks, sequential: true }] : tr;
};

const listMark = /^(\s*)([-*+]|\d+[.)])\s/;

// nest moves the points of a list with the selection one level in or out. Elsewhere the key leaves the field.
export const nest = (by) => (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  const changes = [];
  for (let n = state.doc.lineAt(from).number; n <= state.doc.lineAt(to).number; n++) {
    const line = state.doc.line(n);
    const [whole, indent] = line.text.match(listMark) ?? [];
    if (whole === undefined) return false;
    const above = n > 1 ? state.doc.line(n - 1).text.match(listMark) : null;
    const room = above ? above[0].length - indent.length : 0;
    if (by > 0 && room > 0) changes.push({ from: line.from, insert: " ".repeat(room) });
    if (by < 0 && indent) changes.push({ from: line.from, to: line.from + Math.min(indent.length, 4) });
  }
  if (changes.length) view.dispatch({ changes, userEvent: "input", scrollIntoView: true });
  return changes.length > 0;
};

const codeBlock = (view) => {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  return block("```\n" + text + "\n```", 4, text.length)(view);
};

const table = "| Column | Column |\n| ------ | ------ |\n|        |        |\n";

// commands are all that can be asked for; with names for people, words that find them in the slash menu, what stands on
// the button (a sign, or the path of an icon), and what says that the cursor is in such a place.
export const commands = [
  { name: t("Heading 2"), sign: "H2", words: t("title h2"), run: lines(/^## /, () => "## "), in: /^ATXHeading2$/ },
  { name: t("Heading 3"), sign: "H3", words: t("title h3"), run: lines(/^### /, () => "### "), in: /^ATXHeading3$/ },
  { name: t("Bold"), icon: "M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z", key: "Mod-b", run: around("**"), in: /^StrongEmphasis$/ },
  { name: t("Italic"), icon: "M10 5h7M7 19h7M14 5l-4 14", key: "Mod-i", run: around("*"), in: /^Emphasis$/ },
  { name: t("Link"), icon: "M10 8H7a4 4 0 0 0 0 8h3M14 8h3a4 4 0 0 1 0 8h-3M9 12h6", key: "Mod-k", words: t("address entry url"), opens: "link", in: /^Link$/ },
  { name: t("Image"), icon: "M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM8.5 9.5h.01m-4.5 9 5-5 3 2 4-4 5 5", words: t("picture photo media"), opens: "image" },
  { name: t("Bulleted list"), icon: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01", words: t("ul points"), run: lines(/^\s*[-*+] (?!\[)/, () => "- "), in: /^BulletList$/ },
  { name: t("Numbered list"), icon: "M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 15h2.5L4 19h2.5", words: "ol", run: lines(/^\s*\d+[.)] /, (n) => `${n}. `), in: /^OrderedList$/ },
  { name: t("Task list"), words: t("todo check"), run: lines(/^\s*[-*+] \[[ x]\] /i, () => "- [ ] ") },
  { name: t("Quote"), icon: "M5 5v14M10 8h9M10 12h9M10 16h6", run: lines(/^\s*> ?/, () => "> "), in: /^Blockquote$/ },
  { name: t("Code"), icon: "m8 7-5 5 5 5M16 7l5 5-5 5", key: "Mod-e", words: t("monospace"), run: around("`"), in: /^InlineCode$/ },
  { name: t("Code block"), words: t("fence program"), run: codeBlock },
  { name: t("Table"), icon: "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM3 10h18M10 10v9", run: block(table, 2, 6), in: /^Table$/ },
  { name: t("Find and replace"), words: t("search"), find: true },
  { name: t("Divider"), words: t("line rule hr"), run: block("---\n", 4, 0) },
].filter(({ opens }) => opens !== "image" || document.querySelector('#menu a[href="/admin/media"]')); // not for who may not read the library

// insertBlock is the command of texts that may have blocks.
export const insertBlock = { name: t("Insert block"), icon: "M4 5h16v14H4zM12 9v6M9 12h6", words: t("block component"), block: "" };

// placesOf are the names of the syntax that the cursor is in.
export function placesOf(cm, state) {
  const names = [];
  for (let node = cm.syntaxTree(state).resolveInner(state.selection.main.head, -1); node; node = node.parent) names.push(node.name);
  return names;
}

const places = new WeakMap(); // of each toolbar: its buttons that show where the cursor is

// drawn is an icon with a path, as the pages have them.
export function drawn(path) {
  const [icon, shape] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  icon.setAttribute("class", "icon");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  shape.setAttribute("d", path);
  icon.append(shape);
  return icon;
}

// toolbar is a row of buttons with one stop of the Tab key; the arrow keys go on. use is called with the command of a button.
export function toolbar(label, use, extras = [], list = commands) {
  const bar = make("div", { className: "markdown-bar" });
  places.set(bar, []);
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", label);
  for (const command of list.filter((c) => c.sign || c.icon)) {
    const key = command.key?.replace("Mod", "Ctrl").replaceAll("-", "+").replace(/.$/, (c) => c.toUpperCase());
    const b = make("button", { type: "button", title: key ? `${command.name} (${key})` : command.name }, command.sign ?? drawn(command.icon));
    b.onclick = () => b.ariaDisabled !== "true" && use(command);
    b.toggleAttribute("data-block", Boolean(command.run) && !command.key && list[0] === commands[0]);
    if (/\w{2}/.test(command.sign ?? "") && command.sign !== command.name) b.append(make("span", { className: "hidden", textContent: ` ${command.name}` })); // what is seen is part of the name
    else b.ariaLabel = command.name;
    if (key) b.setAttribute("aria-keyshortcuts", key.replace("Ctrl", "Control"));
    if (command.in) b.ariaPressed = "false";
    if (command.in) places.get(bar).push([b, command.in]);
    bar.append(b);
  }
  bar.append(make("span", { className: "gap" }), ...extras);
  const stop = (b) => bar.querySelectorAll("button").forEach((other) => { other.tabIndex = other === b ? 0 : -1; });
  stop(bar.firstChild);
  bar.addEventListener("focusin", (event) => event.target.matches("button") && stop(event.target));
  bar.onkeydown = (event) => {
    const buttons = [...bar.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    const back = getComputedStyle(bar).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    const to = { Home: 0, End: buttons.length - 1, ArrowRight: at + (back === "ArrowLeft" ? 1 : -1), ArrowLeft: at + (back === "ArrowLeft" ? -1 : 1) }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    buttons[(to + buttons.length) % buttons.length].focus();
  };
  return bar;
}

// pressed shows on the buttons what the cursor is in.
export function pressed(bar, names) {
  for (const [b, place] of places.get(bar)) b.ariaPressed = String(names.some((name) => place.test(name)));
}

// words counts the words of a text in any script.
export function words(text, lang) {
  let n = 0;
  for (const part of new Intl.Segmenter(lang || undefined, { granularity: "word" }).segment(text)) if (part.isWordLike) n++;
  return n;
}
