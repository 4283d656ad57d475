// Tables of a text. A table is a grid with cells that one types in; where the source is shown, keys go through its
// cells. The text is the only copy: a cell shows its part of a line, and what one types changes no more than that part.

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

// wordsIn is the place of the text of a cell in its line, without the spaces around it.
const wordsIn = (text, { from, to }) => {
  const cell = text.slice(from, to);
  const start = from + (cell.trim() ? cell.search(/\S/) : Math.min(1, cell.length));
  return { from: start, to: Math.max(start, from + cell.trimEnd().length) };
};

// columnAt is the column of a place in a line: the number of its cells behind the last bar.
const columnAt = (text, at) => {
  const { cells } = cellsOf(text);
  const i = cells.findIndex(({ to }) => at <= to);
  return i < 0 ? cells.length : i;
};

// A bar in a cell has a backslash before it, and a line break is a tag.
const encode = (text) => text.replace(/\\[^\n]|\||\n/g, (c) => ({ "|": "\\|", "\n": "<br>" })[c] ?? c);
const decode = (text) => text.replace(/<br\s*\/?>|\\[^\n]/gi, (c) => (c[0] === "<" ? "\n" : c === "\\|" ? "|" : c));
const textsOf = (text) => cellsOf(text).cells.map(({ from, to }) => decode(text.slice(from, to).trim()));

// withCells is a line with other texts in its cells from a column on, and with as many cells as width; empty is a new
// one.
const withCells = (text, column, texts, width = 0, empty = "  ") => {
  const { cells, closed } = cellsOf(text);
  const parts = cells.map(({ from, to }) => text.slice(from, to));
  while (parts.length < Math.max(width, column + texts.length)) parts.push(empty);
  texts.forEach((words, i) => {
    const old = parts[column + i];
    const [before, after] = old.trim() ? [old.match(/^\s*/)[0], old.match(/\s*$/)[0]] : [" ", old.slice(1) || " "];
    const next = encode(words);
    parts[column + i] = before + next + (after || (next.endsWith("\\") ? " " : ""));
  });
  const start = text.match(/^[\s>]*\|?/)[0];
  const open = start.endsWith("|") ? start : `${start}|${/^\s/.test(parts[0]) ? "" : " "}`;
  return open + parts.join("|") + (closed || parts.at(-1).endsWith(" ") ? "|" : " |");
};

// difference is the change that makes another text of a line.
const difference = ({ from, text }, next) => {
  let start = 0, end = 0;
  while (start < text.length && text[start] === next[start]) start++;
  while (end < Math.min(text.length, next.length) - start && text.at(-1 - end) === next.at(-1 - end)) end++;
  return { from: from + start, to: from + text.length - end, insert: next.slice(start, next.length - end) };
};

// tableAt is the table that the cursor is in, null for none: its lines from the head, and the line and column of the
// cursor.
const tableAt = ({ doc, selection: { main: { head } } }) => {
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
  const columns = cellsOf(rows[0].text).cells.length;
  return {
    rows, columns, row: here.number - rows[0].number,
    column: Math.min(columnAt(here.text, head - here.from), columns - 1),
  };
};

// inTable is a command of a table. change gives the changes of the text, and the cell that the cursor goes to.
const inTable = (change) => (view) => {
  const t = tableAt(view.state);
  const step = t && !view.state.readOnly && change(t, view);
  if (!step) return false;
  view.dispatch({ changes: step.changes, userEvent: "input" });
  if (!step.to) return true;
  const [row, column] = step.to;
  const line = view.state.doc.line(view.state.doc.lineAt(t.rows[0].from).number + row);
  const cell = cellsOf(line.text).cells[column];
  const at = cell ? line.from + wordsIn(line.text, cell).from : line.to;
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  return true;
};

const addRow = inTable(({ rows, row, columns, column }) => {
  const after = rows[Math.max(row, 1)]; // a row is never above the line below the head
  const indent = rows[0].text.match(/^[\s>]*/)[0];
  const at = row === rows.length - 1 && column === columns - 1 ? 0 : column;
  const insert = `\n${indent}|${"  |".repeat(columns)}`;
  return { changes: { from: after.to, insert }, to: [Math.max(row, 1) + 1, at] };
});

const removeRow = inTable(({ rows, row, column }) => row > 1 && {
  changes: { from: rows[row].from - 1, to: rows[row].to },
  to: [row < rows.length - 1 ? row : row > 2 ? row - 1 : 0, column],
});

const moveRow = (by) => inTable(({ rows, row, column }) => row > 1 && row + by > 1 && row + by < rows.length && {
  changes: [row, row + by].map((i) => ({ from: rows[i].from, to: rows[i].to, insert: rows[2 * row + by - i].text })),
  to: [row + by, column],
});

const addColumn = inTable(({ rows, row, column }) => ({
  changes: rows.flatMap(({ text, from }, i) => {
    const { cells, closed } = cellsOf(text);
    if (!cells[column]) return [];
    const open = column === cells.length - 1 && !closed;
    return { from: from + cells[column].to, insert: `|${i === 1 ? " --- " : "  "}${open ? "|" : ""}` };
  }),
  to: [row, column + 1],
}));

const removeColumn = inTable(({ rows, row, column, columns }) => columns > 1 && {
  changes: rows.flatMap(({ text, from, to }) => {
    const cell = cellsOf(text).cells[column];
    if (!cell) return [];
    if (column > 0) return { from: from + cell.from - 1, to: from + cell.to };
    return { from: from + cell.from, to: Math.min(to, from + cell.to + 1) };
  }),
  to: [row, Math.max(0, column - 1)],
});

// moveColumn moves a column to the right (by is 1) or to the left (-1), as it is seen.
const moveColumn = (by) => inTable(({ rows, row, column, columns }, view) => {
  const to = column + by * (view.textDirection === 0 ? 1 : -1), first = Math.min(column, to);
  return first >= 0 && Math.max(column, to) < columns && {
    changes: rows.flatMap(({ text, from }) => {
      const whole = withCells(text, 0, [], columns);
      const [a, b] = cellsOf(whole).cells.slice(first, first + 2);
      const swapped = `${whole.slice(b.from, b.to)}|${whole.slice(a.from, a.to)}`;
      return difference({ from, text }, whole.slice(0, a.from) + swapped + whole.slice(b.to));
    }),
    to: [row, to],
  };
});

const alignments = { left: /^:-+$/, center: /^:-+:$/, right: /^-+:$/ };
const alignmentOf = (cell) => Object.keys(alignments).find((name) => alignments[name].test(cell)) ?? "";

// align sets where the text of a column stands, or says nothing about it if it stands there.
const align = (where) => inTable(({ rows, row, column }) => {
  const line = rows[1], cell = cellsOf(line.text).cells[column];
  if (!cell) return null;
  const { from, to } = wordsIn(line.text, cell);
  const old = line.text.slice(from, to), to3 = Math.max(3, old.length);
  const dashes = (n) => "-".repeat(n);
  const next = alignmentOf(old) === where ? dashes(to3)
    : { left: `:${dashes(to3 - 1)}`, center: `:${dashes(to3 - 2)}:`, right: `${dashes(to3 - 1)}:` }[where];
  return { changes: { from: line.from + from, to: line.from + to, insert: next }, to: [row, column] };
});

const removeTable = inTable(({ rows }, { state }) => ({
  changes: { from: rows[0].from, to: Math.min(rows.at(-1).to + 1, state.doc.length) },
}));

// nextCell selects the text of the next cell of a table (by is 1) or of the one before (-1). After the last cell it
// adds a row; before the first it does nothing, so that the focus leaves the editor.
const nextCell = (by) => (view) => {
  const { state } = view;
  const t = tableAt(state);
  if (!t) return false;
  const places = t.rows.flatMap(({ text, from }, i) => (i === 1 ? [] : cellsOf(text).cells.map((cell) => {
    const words = wordsIn(text, cell);
    return { start: from + cell.from, anchor: from + words.from, head: from + words.to };
  })));
  const next = places.findLastIndex(({ start }) => start <= state.selection.main.head) + by;
  if (next < 0) return false;
  if (next >= places.length) return addRow(view);
  const { anchor, head } = places[next];
  view.dispatch({ selection: { anchor, head }, userEvent: "select", scrollIntoView: true });
  return true;
};

// belowTable begins a paragraph with what one types on the empty line below a table, where it would be a row. A bar
// begins another row.
const belowTable = (view, from, to, text) => {
  const { state } = view;
  const line = state.doc.lineAt(from);
  if (from !== to || line.length > 0 || line.number === 1 || /^[\s|]/.test(text)) return false;
  const above = state.doc.line(line.number - 1);
  if (!tableAt({ doc: state.doc, selection: { main: { head: above.to } } })) return false;
  view.dispatch({
    changes: { from, insert: `\n${text}` }, selection: { anchor: from + 1 + text.length }, userEvent: "input.type",
    scrollIntoView: true,
  });
  return true;
};

// sheetOf are the cells that a spreadsheet puts on the clipboard as text.
const sheetOf = (text) => {
  const rows = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/g;
  for (const [, quoted, plain, end] of text.replace(/\r\n?/g, "\n").replace(/\n$/, "").matchAll(cell)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") break;
    if (end === "\n") rows.push([]);
  }
  return rows;
};

// rowsIn are the cells of the first table in a text.
const rowsIn = (text) => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes("|") && delimiter.test(line));
  const end = lines.findIndex((line, i) => i > at && !line.includes("|"));
  return [lines[at - 1], ...lines.slice(at + 1, end < 0 ? undefined : end)].map(textsOf);
};

// shownIn returns a function for the text of a cell as it will look.
const shownIn = (cm, look, media) => (text) => {
  const source = `| ${encode(text)} |\n|-|`;
  const into = (node, parent) => {
    let at = node.from;
    const plain = (to) => parent.append(decode(source.slice(at, to)));
    for (let child = node.firstChild; child; child = child.nextSibling) {
      plain(child.from);
      at = child.to;
      const name = look.marks[child.name];
      const own = source.slice(child.from, child.to);
      if (node.name === "Link" && own === "]") return parent; // its address and title follow
      if (look.hiddenMarks.has(child.name)) continue;
      const address = child.name === "Image" && child.getChild("URL");
      const alt = own.match(/^!\[([^\]]*)\]/)?.[1] ?? "";
      if (address) parent.append(look.pictureOf(source.slice(address.from, address.to), alt, media));
      else if (child.name === "Escape") parent.append(own.slice(1));
      else if (name && !/^<br/i.test(own)) parent.append(into(child, make("span", { className: `md-${name}` })));
      else parent.append(decode(own));
    }
    plain(node.to);
    return parent;
  };
  const head = cm.markdownLanguage.parser.parse(source).topNode.getChild("Table")?.getChild("TableHeader");
  const cell = head?.getChild("TableCell");
  return cell ? into(cell, new DocumentFragment()) : "";
};

const areasOf = (box) => [...box.querySelectorAll("textarea")];
const firstLine = (view, box) => view.state.doc.lineAt(view.posAtDOM(box)).number;

// placeOf is where the text of a cell stands: its line, which may have no such cell yet, and its column.
const placeOf = (view, area) => {
  const cell = area.parentElement, row = cell.parentElement.rowIndex;
  const index = row === 0 ? 0 : row + 1; // the line below the head is no row
  const line = view.state.doc.line(firstLine(view, area.closest(".grid")) + index);
  return { line, index, column: cell.cellIndex };
};
// inText is the place in a line that a place in a cell stands for.
const inText = (text, column, area, at) => {
  const cell = cellsOf(text).cells[column];
  if (!cell) return text.length;
  const words = wordsIn(text, cell), from = area.value.length - area.value.trimStart().length;
  return Math.min(words.to, words.from + encode(area.value.slice(from, Math.max(from, at))).length);
};
const selectionOf = (text, column, area) => {
  return [area.selectionStart, area.selectionEnd].map((at) => inText(text, column, area, at));
};

// follow puts the selection of the text where the one of a cell is, so that commands find it there.
const follow = (view, area) => {
  const { line, column } = placeOf(view, area);
  const [anchor, head] = selectionOf(line.text, column, area).map((at) => line.from + at);
  const { main } = view.state.selection;
  if (main.from !== anchor || main.to !== head) view.dispatch({ selection: { anchor, head }, userEvent: "select" });
};

const write = (view, area, event) => {
  const { line, column } = placeOf(view, area);
  const next = withCells(line.text, column, [area.value.trim()]);
  const [anchor, head] = selectionOf(next, column, area).map((at) => line.from + at);
  fit(area);
  view.dispatch({
    changes: difference(line, next), selection: { anchor, head },
    userEvent: event.inputType?.startsWith("delete") ? "delete" : "input.type",
  });
};
// fit makes a cell as large as what is typed in it.
const fit = (area) => { area.previousSibling.textContent = `${area.value}\u200b`; };

const activeIn = (view) => {
  const e = view.root.activeElement;
  return e?.matches("textarea") && view.contentDOM.contains(e) ? e : null;
};

// go puts the focus into a cell, with its text selected or the cursor at its start or end.
const go = (area, how) => {
  if (!area) return false;
  area.focus();
  area.setSelectionRange(how === "end" ? area.value.length : 0, how === "start" ? 0 : area.value.length);
  area.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
};
const cellIn = (area, by) => {
  const cell = area.parentElement, row = cell.parentElement;
  return row.closest("table").rows[row.rowIndex + by]?.cells[cell.cellIndex].lastChild;
};

// pasting returns the listener for text and files that are pasted into a cell or dropped on it.
const pasting = (gridAt, insert, say) => {
  // fill puts cells into a table from a cell on, which makes the rows and columns that are missing.
  const fill = (view, area, rows) => {
    const { doc } = view.state;
    const first = firstLine(view, area.closest(".grid"));
    const { line: here, index, column } = placeOf(view, area);
    const table = gridAt(view.state, here.from);
    const last = doc.lineAt(table.to).number - first;
    const width = column + Math.max(...rows.map((row) => row.length));
    const lines = new Map([0, 1].map((i) => {
      const { text } = doc.line(first + i);
      return [i, withCells(text, 0, [], width, i === 1 ? " --- " : "  ")];
    }));
    let more = "";
    rows.forEach((texts, r) => {
      const i = index + r + (index === 0 && r > 0 ? 1 : 0);
      if (i > last) more += `\n${withCells("|", column, texts)}`;
      else lines.set(i, withCells(lines.get(i) ?? doc.line(first + i).text, column, texts));
    });
    const changes = [...lines].map(([i, text]) => difference(doc.line(first + i), text));
    view.dispatch({ changes: [...changes, { from: table.to, insert: more }], userEvent: "input.paste" });
    say(`${rows.length} × ${width - column}`);
  };

  const pasted = async (view, area, data) => {
    const html = data.getData("text/html"), plain = data.getData("text/plain");
    const asText = { text: plain, lost: [] };
    const { text, lost } = html
      ? await load("markdown-paste").then((paste) => paste.richText(html)).catch(() => asText) : asText;
    const rows = /<table[\s>]/i.test(html) ? rowsIn(text) : html || !plain.includes("\t") ? [] : sheetOf(plain);
    if (rows.length > 1 || rows[0]?.length > 1) return fill(view, area, rows);
    const one = rows.length === 1 ? rows[0][0] : text.trim().replace(/\s*\n\s*/g, html ? " " : "\n");
    view.dispatch(view.state.replaceSelection(encode(one)), { userEvent: "input.paste" });
    say(lost.length ? t("Not kept of what was pasted: {1}.", lost.join(", ")) : "");
  };
  return (event, view, area) => {
    const data = event.clipboardData ?? event.dataTransfer;
    if (!data || event.type === "drop" && !data.files.length) return;
    event.preventDefault();
    if (view.state.readOnly) return;
    follow(view, area);
    const own = data.getData("text/html") || /[\t\n]/.test(data.getData("text/plain").trim());
    if (own || !insert.pasted(view, data, say)) pasted(view, area, data);
  };
};

// gridOf returns the class of the widgets that show a table.
const gridOf = (cm, shown, transferred) => {
  class Grid extends cm.WidgetType {
    constructor(text) {
      super();
      this.text = text;
    }
    eq(other) { return other.text === this.text; }
    ignoreEvent() { return true; }
    coordsAt(box, at) {
      const line = this.text.slice(0, at).split("\n").length - 1;
      return box.querySelector("table").rows[Math.max(0, line - 1)]?.getBoundingClientRect() ?? null;
    }
    toDOM(view) {
      const table = make("table", { ariaLabel: t("Table") }, make("thead"), make("tbody"));
      const box = make("div", { className: "grid" }, table);
      const on = (name, run) => box.addEventListener(name, (event) => {
        if (event.target.matches("textarea")) run(event, view, event.target);
      });
      on("input", (event, _, area) => write(view, area, event));
      on("keydown", (event) => {
        if (event.isComposing || !cm.runScopeHandlers(view, event, "cell")) return;
        event.preventDefault();
        event.stopPropagation();
      });
      on("beforeinput", (event) => event.inputType.startsWith("history") && event.preventDefault());
      for (const name of ["paste", "drop"]) on(name, transferred);
      for (const name of ["keyup", "select"]) {
        on(name, (event, _, area) => pressing || area !== activeIn(view) || follow(view, area));
      }
      let pressing = false; // the bar of the table moves the text only once the pointer is up
      on("pointerdown", (event, _, area) => {
        pressing = true;
        addEventListener("pointerup", () => {
          pressing = false;
          if (area === activeIn(view)) follow(view, area);
        }, { once: true });
      });
      on("focusin", (event, _, area) => {
        fit(area);
        if (!pressing) follow(view, area);
      });
      on("focusout", (event, _, area) => {
        area.value = area.value.trim();
        area.previousSibling.replaceChildren(shown(area.value));
      });
      this.updateDOM(box, view);
      return box;
    }
    updateDOM(box, view) {
      const lines = this.text.split("\n").filter((_, i) => i !== 1).map(textsOf);
      const aligned = textsOf(this.text.split("\n")[1]).map(alignmentOf);
      const [table] = box.children, [head, body] = table.children;
      const here = box.getRootNode().activeElement;
      while (table.rows.length > lines.length) table.deleteRow(-1);
      lines.forEach((texts, i) => {
        const row = table.rows[i] ?? (i ? body : head).insertRow();
        while (row.cells.length > lines[0].length) row.deleteCell(-1);
        lines[0].forEach((name, j) => {
          const text = texts[j] ?? "";
          let cell = row.cells[j];
          if (!cell) {
            // Arrow keys enter the table. Tab passes it with the editor, since in a table it would not leave.
            const area = make("textarea", { rows: 1, tabIndex: -1, readOnly: view.state.readOnly });
            cell = make(i ? "td" : "th", i ? {} : { scope: "col" }, make("div", { ariaHidden: "true" }), area);
            row.append(cell);
          }
          const [seen, area] = cell.children;
          const column = name || t("Column {1}", j + 1);
          area.ariaLabel = i ? t("{1}, row {2}", column, i) : t("{1}, head", column);
          cell.style.textAlign = aligned[j] ?? "";
          const other = area.value.trim() !== text; // spaces that one is typing at the ends stay
          if (other) area.value = text;
          if (area === here) fit(area);
          else if (other) seen.replaceChildren(shown(text));
        });
      });
      return true;
    }
  }
  return Grid;
};

// placing returns the state field that puts a grid in the place of each table. A table that is open as source while
// the field is made stays so if startsLate().
const placing = (cm, gridFor, startsLate) => {
  const { Decoration, EditorView, StateEffect, StateField, syntaxTree } = cm;
  // asSource shows the table that begins at a place as source while the cursor is in it; -1 shows all as grids.
  const asSource = StateEffect.define();
  const near = ({ from, to }, at) => at >= from && at <= to + 1;
  // made finds the tables of a text. A slow device parses a part of a text only, behind which the known tables stay.
  const made = (state, known, source, late) => {
    const all = [], tree = syntaxTree(state);
    const { doc, selection: { main: { head } } } = state;
    const linesOf = ({ from, to }) => ({ from: doc.lineAt(from).from, to: doc.lineAt(to).to });
    tree.iterate({ enter(node) {
      if (node.name === "Table") all.push(linesOf(node));
      return node.name === "Document";
    } });
    const isTable = ({ from, to }) => {
      const [names, line] = doc.sliceString(from, to).split("\n");
      return line && `${names}${line}`.includes("|") && delimiter.test(line);
    };
    const behind = tree.length < doc.length ? known.filter(({ from }) => from >= tree.length) : [];
    all.push(...behind.map(linesOf).filter(isTable));
    const below = (t) => doc.lineAt(t.from).number + 1 === doc.lineAt(head).number; // the line below the head is source
    const open = all.find((t) => near(t, head) && (late || t.from === source || below(t)));
    const grids = all.filter((t) => t !== open);
    const marks = grids.map(({ from, to }) => {
      return Decoration.replace({ widget: gridFor(doc.sliceString(from, to)) }).range(from, to);
    });
    return { source: open ? open.from : -1, all, grids, marks: Decoration.set(marks) };
  };
  const field = StateField.define({
    create: (state) => made(state, [], -1, startsLate()),
    update(value, tr) {
      const moved = (at) => tr.changes.mapPos(at, -1);
      const before = value.source < 0 ? -1 : moved(value.source);
      const source = tr.effects.findLast((e) => e.is(asSource))?.value ?? before;
      const parsed = syntaxTree(tr.startState) !== syntaxTree(tr.state);
      if (!tr.docChanged && !tr.selection && !parsed && source === value.source) return value;
      return made(tr.state, value.all.map(({ from, to }) => ({ from: moved(from), to: moved(to) })), source, false);
    },
    provide: (f) => [
      EditorView.decorations.from(f, (v) => v.marks), EditorView.atomicRanges.of((view) => view.state.field(f).marks),
    ],
  });
  const gridAt = (state, at) => state.field(field, false)?.grids.find(({ from, to }) => at >= from && at <= to);
  return { field, gridAt, asSource };
};

// focusing returns the extensions that keep the focus in the cell with the selection.
const focusing = ({ EditorView, ViewPlugin }, gridAt) => {
  const boxOf = (view, grid) => {
    return [...view.contentDOM.querySelectorAll(".grid")].find((box) => view.posAtDOM(box) === grid.from);
  };
  // cellAt is the cell of a place in the text, and which place in the cell it is.
  const cellAt = (view, grid, at) => {
    const table = boxOf(view, grid)?.firstChild, line = view.state.doc.lineAt(at);
    const index = line.number - view.state.doc.lineAt(grid.from).number;
    const row = table?.rows[Math.max(0, index - 1)];
    if (!row) return null;
    const column = Math.min(columnAt(line.text, at - line.from), row.cells.length - 1);
    const cell = cellsOf(line.text).cells[column], area = row.cells[column].lastChild;
    if (!cell) return { area, offset: 0 };
    const { from, to } = wordsIn(line.text, cell);
    return { area, offset: decode(line.text.slice(from, Math.max(from, Math.min(to, at - line.from)))).length };
  };

  // enter gives the focus to the cell that the selection is in, and back to the text where it left a table.
  const enter = (view, moved, held) => {
    const active = activeIn(view), { state } = view;
    if (!active && !view.hasFocus && !held) return;
    const { anchor, head, from, to } = state.selection.main;
    const grid = gridAt(state, head);
    const [first, last] = [anchor, head].map((at) => {
      return grid && at >= grid.from && at <= grid.to ? cellAt(view, grid, at) : null;
    });
    if (!last || first?.area !== last.area) {
      if (active ? moved : held) view.focus();
      return;
    }
    const { area } = last, line = state.doc.lineAt(head);
    const cells = cellsOf(line.text).cells.length;
    if (active && area.closest("tr") === active.closest("tr") && active.parentElement.cellIndex >= cells) return;
    const kept = selectionOf(line.text, area.parentElement.cellIndex, area).map((at) => line.from + at);
    if (area !== active || kept[0] !== from || kept[1] !== to) {
      area.setSelectionRange(Math.min(first.offset, last.offset), Math.max(first.offset, last.offset));
    }
    if (area !== active) area.focus();
  };
  let held = false; // a cell had the focus before an update, which may have removed the cell
  return [
    ViewPlugin.define(() => ({ update: ({ view }) => { held = activeIn(view) !== null; } })),
    EditorView.updateListener.of(({ view, transactions, selectionSet }) => {
      if (transactions.length > 0) enter(view, selectionSet, held);
    }),
    EditorView.domEventHandlers({ focus: (event, view) => enter(view, false, false) }),
  ];
};

// glued keeps a paragraph below a table from becoming a row of it when the line between them is removed.
const glued = (cm, field) => cm.EditorState.transactionFilter.of((tr) => {
  if (!tr.docChanged || tr.isUserEvent("undo") || tr.isUserEvent("redo")) return tr;
  const words = (doc, at) => {
    const { number } = doc.lineAt(at);
    return number < doc.lines ? doc.line(number + 1).text.trim() : "";
  };
  for (const { to } of tr.startState.field(field).grids) {
    const end = tr.changes.mapPos(to, -1), line = tr.newDoc.lineAt(end);
    if (line.to > end || !line.text.includes("|")) continue; // its end is replaced
    if (words(tr.startState.doc, to) || !words(tr.newDoc, end) || words(tr.newDoc, end).startsWith("|")) continue;
    if (tr.isUserEvent("delete")) return { selection: { anchor: to } };
    return [tr, { changes: { from: end, insert: "\n" }, sequential: true }];
  }
  return tr;
});

// walking returns the commands that go through the cells of a table, into it and out of it.
const walking = ({ field, gridAt, asSource }, bar) => {
  // out leaves a table for the line above or below it.
  const out = (by) => (view) => {
    const { from, to } = gridAt(view.state, view.state.selection.main.head);
    const at = by < 0 ? from - 1 : to + 1;
    if (at < 0 || at > view.state.doc.length) return true;
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.focus();
    return true;
  };
  // below leaves a table for the empty line below it, which is made where there is none.
  const below = (view) => {
    if (view.state.readOnly) return out(1)(view);
    const { to } = gridAt(view.state, view.state.selection.main.head);
    const { doc } = view.state, { number } = doc.lineAt(to);
    if (number === doc.lines || doc.line(number + 1).text.trim()) {
      view.dispatch({ changes: { from: to, insert: "\n" }, userEvent: "input" });
    }
    return out(1)(view);
  };
  const inCell = (run) => (view) => {
    const area = activeIn(view);
    if (!area) return false;
    follow(view, area);
    return run(view, area, areasOf(area.closest(".grid"))) ?? true;
  };
  const tab = (by) => inCell((view, area, areas) => {
    const next = areas[areas.indexOf(area) + by];
    if (next) return go(next, "all");
    if (by > 0) return view.state.readOnly ? false : addRow(view);
    if (gridAt(view.state, view.state.selection.main.head).from > 0) return out(-1)(view);
    bar.querySelector("button[tabindex='0']").focus();
  });
  const sideways = (by) => inCell((view, area, areas) => {
    const forward = by > 0 === (getComputedStyle(area).direction === "ltr");
    const { selectionStart: at, selectionEnd: end, value } = area;
    if (at !== end || at !== (forward ? value.length : 0)) return false;
    const next = areas[areas.indexOf(area) + (forward ? 1 : -1)];
    return next ? go(next, forward ? "start" : "end") : out(forward ? 1 : -1)(view);
  });
  const vertical = (by) => inCell((view, area) => {
    const { selectionStart: at, selectionEnd: end, value } = area;
    const lines = Math.round(area.scrollHeight / parseFloat(getComputedStyle(area).lineHeight));
    if (at !== end || lines > 1 && at !== (by < 0 ? 0 : value.length)) return false;
    return go(cellIn(area, by), "end") || out(by)(view);
  });
  const all = inCell((view, { selectionStart, selectionEnd, value }) => {
    if (selectionStart > 0 || selectionEnd < value.length) return false;
    view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
  });
  const showSource = (view) => {
    const grid = gridAt(view.state, view.state.selection.main.head);
    if (!grid) return false;
    view.dispatch({ effects: asSource.of(grid.from) });
    view.focus();
    return true;
  };
  const showGrid = (view) => {
    if (!(view.state.field(field, false)?.source >= 0) || !tableAt(view.state)) return false;
    view.dispatch({ effects: asSource.of(-1) });
    return true;
  };
  // into enters a table that the cursor would go over.
  const into = (by) => (view) => {
    const { main } = view.state.selection;
    const next = main.empty && view.moveVertically(main, by > 0).head;
    const grids = main.empty ? view.state.field(field).grids : [];
    const grid = by > 0 ? grids.find((t) => t.from > main.head && t.from <= next)
      : grids.findLast((t) => t.to < main.head && t.to >= next);
    if (!grid) return false;
    const anchor = by > 0 ? grid.from : view.state.doc.lineAt(grid.to).from;
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    return true;
  };
  return { all, below, inCell, into, showGrid, showSource, sideways, tab, vertical };
};

// gridStyle is the theme of grids.
const gridStyle = {
  ".grid": {
    display: "inline-block", maxWidth: "100%", minWidth: "50%", verticalAlign: "top", overflowX: "auto",
    padding: ".4rem 0", fontFamily: "var(--sans)", fontSize: "1rem",
  },
  ".grid table": { borderCollapse: "collapse", width: "100%" },
  ".grid th, .grid td": {
    position: "relative", minWidth: "5rem", maxWidth: "24rem", padding: "0", border: "1px solid var(--line)",
    verticalAlign: "top", textAlign: "start",
  },
  ".grid th": { backgroundColor: "var(--sunk)", fontWeight: "600" },
  ".grid td > *, .grid th > *": {
    font: "inherit", color: "inherit", lineHeight: "1.5", padding: ".3rem .6rem", whiteSpace: "pre-wrap",
    overflowWrap: "anywhere", textAlign: "inherit", minHeight: "1.5em", boxSizing: "content-box",
  },
  ".grid textarea": {
    position: "absolute", inset: "0", width: "auto", height: "auto", margin: "0", border: "0", borderRadius: "0",
    resize: "none", overflow: "hidden", opacity: "0", backgroundColor: "var(--card)", boxSizing: "border-box",
    inlineSize: "100%", blockSize: "100%",
  },
  ".grid textarea:focus": { opacity: "1", outline: "2px solid var(--accent)", outlineOffset: "-1px" },
};

// edits are the parts of an editor that edit tables: commands, their bar, and extensions for a text that is shown as
// source and for one that is shown as it will look. use runs a command, say tells people something.
export function edits({ cm, look, tools, insert }, { editor, typed, bar, label, media, use, say }) {
  const { EditorView, Prec, keymap } = cm;
  const tables = placing(cm, (text) => new Grid(text), () => typed && editor.view.hasFocus);
  const { field, gridAt } = tables;
  const Grid = gridOf(cm, shownIn(cm, look, media), pasting(gridAt, insert, say));
  const { all, below, inCell, into, showGrid, showSource, sideways, tab, vertical } = walking(tables, bar);

  const commands = [
    { name: t("Add a row"), sign: t("Add a row"), key: "Alt-Enter", words: t("table line"), run: addRow },
    {
      name: t("Remove the row"), sign: t("Remove the row"), key: "Alt-Shift-Backspace", words: t("table delete line"),
      run: removeRow,
    },
    { name: t("Move the row up"), sign: "↑", key: "Alt-Shift-ArrowUp", run: moveRow(-1) },
    { name: t("Move the row down"), sign: "↓", key: "Alt-Shift-ArrowDown", run: moveRow(1) },
    { name: t("Add a column"), sign: t("Add a column"), key: "Alt-Shift-Enter", words: t("table"), run: addColumn },
    {
      name: t("Remove the column"), sign: t("Remove the column"), key: "Alt-Shift-Delete", words: t("table delete"),
      run: removeColumn,
    },
    { name: t("Move the column to the left"), sign: "←", key: "Alt-Shift-ArrowLeft", run: moveColumn(-1) },
    { name: t("Move the column to the right"), sign: "→", key: "Alt-Shift-ArrowRight", run: moveColumn(1) },
    { name: t("Align left"), sign: "⇤", run: align("left"), side: "left" },
    { name: t("Align in the middle"), sign: "↔", run: align("center"), side: "center" },
    { name: t("Align right"), sign: "⇥", run: align("right"), side: "right" },
    {
      name: t("Show as source"), sign: t("Show as source"), key: "Escape", source: true,
      run: (view) => showGrid(view) || showSource(view),
    },
    { name: t("Delete the table"), sign: t("Delete the table"), run: removeTable },
  ];
  const tableBar = tools.toolbar(t("Table: {1}", label), use, [], commands);
  tableBar.classList.add("more", "of-table");
  // marked shows the bar in tables, and on its buttons what holds for the cell with the cursor.
  const marked = (state) => {
    const t = tableAt(state);
    tableBar.hidden = !t;
    for (const b of bar.querySelectorAll("[data-block]")) b.ariaDisabled = String(Boolean(t));
    const side = t && alignmentOf(textsOf(t.rows[1].text)[t.column] ?? "");
    commands.forEach((c, i) => {
      if (c.side) tableBar.children[i].ariaPressed = String(side === c.side);
      if (c.source) tableBar.children[i].ariaPressed = String(!gridAt(state, state.selection.main.head));
      if (c.source) tableBar.children[i].ariaDisabled = String(!state.field(field, false));
    });
  };
  const keyed = commands.filter((c) => c.key && !c.source);
  const keysOf = (scope) => keymap.of(keyed.map(({ key, run }) => ({ key, scope, run })));
  const cellKeys = [
    { key: "Tab", run: tab(1) }, { key: "Shift-Tab", run: tab(-1) },
    { key: "Enter", run: inCell((view, area) => go(cellIn(area, 1), "all") || below(view)) },
    { key: "ArrowLeft", run: sideways(-1) }, { key: "ArrowRight", run: sideways(1) },
    { key: "ArrowUp", run: vertical(-1) }, { key: "ArrowDown", run: vertical(1) },
    { key: "Escape", run: showSource }, { key: "Mod-a", run: all },
    { key: "Alt-F10", run: () => (tableBar.querySelector("button[tabindex='0']").focus(), true) },
    ...tools.commands.filter((c) => c.key).map((c) => {
      return { key: c.key, run: inCell((view) => (c.run ? c.run(view) : use(c), true)) };
    }),
    ...["Mod-f", "Mod-h"].map((key) => ({ key, run: () => (use({ find: true }), true) })),
    ...cm.historyKeymap,
  ].map((binding) => ({ ...binding, scope: "cell" }));

  return {
    commands, bar: tableBar, at: tableAt,
    source: [
      EditorView.updateListener.of((update) => update.transactions.length > 0 && marked(update.state)),
      EditorView.inputHandler.of(belowTable), keysOf("editor"),
      Prec.high(keymap.of([{ key: "Tab", run: nextCell(1) }, { key: "Shift-Tab", run: nextCell(-1) }])),
    ],
    shown: [
      field, focusing(cm, gridAt), glued(cm, field), keysOf("cell"), keymap.of(cellKeys),
      Prec.high(keymap.of([
        { key: "ArrowDown", run: into(1) }, { key: "ArrowUp", run: into(-1) },
        { key: "Escape", run: showGrid, stopPropagation: true },
      ])),
      EditorView.baseTheme(gridStyle),
    ],
  };
}
