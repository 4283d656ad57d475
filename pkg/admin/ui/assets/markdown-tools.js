// What the toolbar, the keys and the slash menu of an editor of Markdown do. Each command takes a view and changes its
// text by one step that can be undone.

// around puts marks around each selection, or takes them away.
export const around = (mark) => (view) => {
  const { state } = view;
  const n = mark.length;
  view.dispatch(state.changeByRange((range) => {
    const { from, to } = range;
    const outside = state.sliceDoc(from - n, from) === mark && state.sliceDoc(to, to + n) === mark;
    const inside = to - from >= 2 * n && state.sliceDoc(from, from + n) === mark && state.sliceDoc(to - n, to) === mark;
    const Range = range.constructor;
    if (outside) return { changes: [{ from: from - n, to: from }, { from: to, to: to + n }], range: Range.create(from - n, to - n) };
    if (inside) return { changes: [{ from, to: from + n }, { from: to - n, to }], range: Range.create(from, to - 2 * n) };
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

// belowTable begins a paragraph with what is typed on the empty line below a table, where it would be a row. A bar begins another row.
export const belowTable = (view, from, to, text) => {
  const { state } = view;
  const line = state.doc.lineAt(from);
  if (from !== to || line.length > 0 || line.number === 1 || /^[\s|]/.test(text)) return false;
  const above = state.doc.line(line.number - 1);
  if (!tableAt({ doc: state.doc, selection: { main: { head: above.to } } })) return false;
  view.dispatch({ changes: { from, insert: `\n${text}` }, selection: { anchor: from + 1 + text.length }, userEvent: "input.type", scrollIntoView: true });
  return true;
};

const codeBlock = (view) => {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  return block("```\n" + text + "\n```", 4, text.length)(view);
};

const delimiter = /^[\s>]*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

// cellsOf are the places of the cells of a line of a table, between its bars; closed says that it ends with one.
const cellsOf = (text) => {
  const start = text.match(/^[\s>]*/)[0].length, end = text.trimEnd().length;
  const bars = [];
  for (let i = start; i < end; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "|") bars.push(i);
  }
  const closed = bars.length > 0 && bars.at(-1) === end - 1;
  const edges = [...(bars[0] === start ? [] : [start - 1]), ...bars, ...(closed ? [] : [end])];
  return { closed, cells: edges.slice(1).map((to, i) => ({ from: edges[i] + 1, to })) };
};

// tableAt is the table that the cursor is in, null for none: its lines from the head, and the line and column of the cursor.
export const tableAt = ({ doc, selection: { main: { head } } }) => {
  const here = doc.lineAt(head);
  const barred = (n) => n >= 1 && n <= doc.lines && doc.line(n).text.includes("|");
  if (!barred(here.number)) return null;
  let first = here.number, last = here.number;
  while (barred(first - 1)) first--;
  while (barred(last + 1)) last++;
  const lines = Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i));
  const at = lines.findIndex((line) => line.text.includes("|") && delimiter.test(line.text));
  if (at < 1 || here.number < first + at - 1) return null;
  const rows = lines.slice(at - 1);
  const row = here.number - rows[0].number;
  const column = cellsOf(here.text).cells.findIndex(({ from, to }) => head - here.from >= from && head - here.from <= to);
  return { rows, row, column: Math.max(0, column), columns: cellsOf(rows[0].text).cells.length };
};

// inTable is a command of a table; change gives the changes of the text, and where the cursor goes among them if it says so.
const inTable = (change) => (view) => {
  const t = tableAt(view.state);
  const step = t && change(t);
  if (step) view.dispatch({ ...step, userEvent: "input", scrollIntoView: true });
  return Boolean(step);
};

const addRow = inTable(({ rows, row, columns }) => {
  const after = rows[Math.max(row, 1)]; // a row is never above the line below the head
  const indent = rows[0].text.match(/^[\s>]*/)[0];
  return { changes: { from: after.to, insert: `\n${indent}|${"  |".repeat(columns)}` }, selection: { anchor: after.to + indent.length + 3 } };
});

// nextCell selects the text of the next cell of a table (by is 1) or of the one before (-1). After the last cell it adds a row; before
// the first it does nothing, so that the focus leaves the editor.
export const nextCell = (by) => (view) => {
  const { state } = view;
  const t = tableAt(state);
  if (!t) return false;
  const cells = t.rows.flatMap((line, i) => (i === 1 ? [] : cellsOf(line.text).cells.map(({ from, to }) => ({ from: line.from + from, to: line.from + to }))));
  const next = cells.findLastIndex(({ from }) => from <= state.selection.main.head) + by;
  if (next < 0) return false;
  if (next >= cells.length) return addRow(view);
  const { from, to } = cells[next];
  const text = state.sliceDoc(from, to);
  const anchor = from + (text.trim() ? text.search(/\S/) : Math.min(1, text.length));
  view.dispatch({ selection: { anchor, head: Math.max(anchor, from + text.trimEnd().length) }, userEvent: "select", scrollIntoView: true });
  return true;
};

const removeRow = inTable(({ rows, row }) => row > 1 && { changes: { from: rows[row].from - 1, to: rows[row].to } });

const addColumn = inTable(({ rows, column }) => ({ changes: rows.flatMap(({ text, from }, i) => {
  const { cells, closed } = cellsOf(text);
  const cell = cells[column];
  if (!cell) return [];
  const open = column === cells.length - 1 && !closed;
  return { from: from + cell.to, insert: `|${i === 1 ? " --- " : "  "}${open ? "|" : ""}` };
}) }));

const removeColumn = inTable(({ rows, column, columns }) => columns > 1 && { changes: rows.flatMap(({ text, from, to }) => {
  const cell = cellsOf(text).cells[column];
  if (!cell) return [];
  return column === 0 ? { from: from + cell.from, to: Math.min(to, from + cell.to + 1) } : { from: from + cell.from - 1, to: from + cell.to };
}) });

const table = "| Column | Column |\n| ------ | ------ |\n|        |        |\n";

// commands are all that can be asked for; with names for people, words that find them in the slash menu, what stands on
// the button, and what says that the cursor is in such a place. Those of a table are offered in tables only.
export const commands = [
  { name: "Heading 2", sign: "H2", words: "title h2", run: lines(/^## /, () => "## "), in: /^ATXHeading2$/ },
  { name: "Heading 3", sign: "H3", words: "title h3", run: lines(/^### /, () => "### "), in: /^ATXHeading3$/ },
  { name: "Bold", sign: "B", key: "Mod-b", run: around("**"), in: /^StrongEmphasis$/ },
  { name: "Italic", sign: "I", key: "Mod-i", run: around("*"), in: /^Emphasis$/ },
  { name: "Link", sign: "Link", key: "Mod-k", words: "address entry url", opens: "link", in: /^Link$/ },
  { name: "Image", sign: "Image", words: "picture photo media", opens: "image" },
  { name: "Bulleted list", sign: "•", words: "ul points", run: lines(/^\s*[-*+] (?!\[)/, () => "- "), in: /^BulletList$/ },
  { name: "Numbered list", sign: "1.", words: "ol", run: lines(/^\s*\d+[.)] /, (n) => `${n}. `), in: /^OrderedList$/ },
  { name: "Task list", words: "todo check", run: lines(/^\s*[-*+] \[[ x]\] /i, () => "- [ ] ") },
  { name: "Quote", sign: "❝", run: lines(/^\s*> ?/, () => "> "), in: /^Blockquote$/ },
  { name: "Code", sign: "‹›", key: "Mod-e", words: "monospace", run: around("`"), in: /^InlineCode$/ },
  { name: "Code block", words: "fence program", run: codeBlock },
  { name: "Table", sign: "Table", run: block(table, 2, 6), in: /^Table$/ },
  { name: "Add a row", sign: "Add a row", words: "table line", run: addRow, table: true },
  { name: "Add a column", sign: "Add a column", words: "table", run: addColumn, table: true },
  { name: "Remove the row", sign: "Remove the row", words: "table delete line", run: removeRow, table: true },
  { name: "Remove the column", sign: "Remove the column", words: "table delete", run: removeColumn, table: true },
  { name: "Find and replace", words: "search", find: true },
  { name: "Divider", words: "line rule hr", run: block("---\n", 4, 0) },
];

// placesOf are the names of the syntax that the cursor is in.
export function placesOf(cm, state) {
  const names = [];
  for (let node = cm.syntaxTree(state).resolveInner(state.selection.main.head, -1); node; node = node.parent) names.push(node.name);
  return names;
}

const places = new WeakMap(); // of each toolbar: its buttons that show where the cursor is

// toolbar is a row of buttons with one stop of the Tab key; the arrow keys go on. use is called with the command of a button.
export function toolbar(label, use, extras) {
  const bar = make("div", { className: "markdown-bar" });
  places.set(bar, []);
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", label);
  for (const command of commands.filter((c) => c.sign)) {
    const key = command.key?.replace("Mod-", "Ctrl+").replace(/.$/, (c) => c.toUpperCase());
    const b = make("button", { type: "button", title: key ? `${command.name} (${key})` : command.name, onclick: () => use(command) }, command.sign);
    if (/[\w.]{2}/.test(command.sign) && command.sign !== command.name) b.append(make("span", { className: "hidden", textContent: ` ${command.name}` })); // what is seen is part of the name
    else b.ariaLabel = command.name;
    if (key) b.setAttribute("aria-keyshortcuts", key.replace("Ctrl", "Control"));
    b.hidden = Boolean(command.table);
    b.toggleAttribute("data-table", b.hidden);
    if (command.in) b.ariaPressed = "false";
    if (command.in) places.get(bar).push([b, command.in]);
    bar.append(b);
  }
  bar.append(make("span", { className: "gap" }), ...extras);
  const stop = (b) => bar.querySelectorAll("button").forEach((other) => { other.tabIndex = other === b ? 0 : -1; });
  stop(bar.firstChild);
  bar.addEventListener("focusin", (event) => event.target.matches("button") && stop(event.target));
  bar.onkeydown = (event) => {
    const buttons = [...bar.querySelectorAll("button:not([hidden])")];
    const at = buttons.indexOf(event.target);
    const back = getComputedStyle(bar).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    const to = { Home: 0, End: buttons.length - 1, ArrowRight: at + (back === "ArrowLeft" ? 1 : -1), ArrowLeft: at + (back === "ArrowLeft" ? -1 : 1) }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    buttons[(to + buttons.length) % buttons.length].focus();
  };
  return bar;
}

// pressed shows on the buttons what the cursor is in, and those of a table in tables.
export function pressed(bar, names, table) {
  for (const [b, place] of places.get(bar)) b.ariaPressed = String(names.some((name) => place.test(name)));
  for (const b of bar.querySelectorAll("[data-table]")) {
    b.hidden = !table;
    if (b.hidden && b.tabIndex === 0) [b.tabIndex, bar.firstChild.tabIndex] = [-1, 0];
  }
}

// words counts the words of a text in any script.
export function words(text, lang) {
  let n = 0;
  for (const part of new Intl.Segmenter(lang || undefined, { granularity: "word" }).segment(text)) if (part.isWordLike) n++;
  return n;
}
