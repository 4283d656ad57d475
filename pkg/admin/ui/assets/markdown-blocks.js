// Blocks of a text: outside the view of the source, each is a frame with its words and its picture. A dialog with the form of the service
// inserts and edits them, and saves them as presets. What is copied is kept as clip.js keeps blocks of lists, so that each goes into the other.

// wordsOf are the texts and files in the content of a block; ids, numbers and nested values say nothing to people.
const wordsOf = (lines, files) => {
  const words = [], pictures = [];
  for (let i = 0; i < lines.length; i++) {
    const [, name, plain] = lines[i].match(/^(\w+):\s*(.*)$/) ?? [];
    let text = plain;
    if (/^[|>]/.test(text)) for (text = ""; /^\s/.test(lines[i + 1] ?? ""); i++) text += ` ${lines[i + 1].trim()}`;
    if (/^".*"$/.test(text)) text = text.slice(1, -1).replace(/\\n/g, " ").replace(/\\(.)/g, "$1");
    text = text?.trim();
    const isID = /^[\da-f]{8}-[\da-f-]{27}$/i.test(text);
    if (isID && files.includes(name)) pictures.push(text);
    else if (text && !isID && !/^(\[|\{|[-\d.]+$|true$|false$|null$)/.test(text)) words.push(text);
  }
  return { words: words.join(" · ").slice(0, 200), pictures };
};

// edits are the parts of an editor that edit blocks; kinds are their types. say tells people something.
export function edits({ cm, look, tools }, { editor, kinds, label, media, say }) {
  const { Decoration, EditorView, StateField, WidgetType, keymap, syntaxTree } = cm;

  const blocksIn = (state) => {
    const found = [];
    for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
      const info = node.name === "FencedCode" && node.getChild("CodeInfo");
      const name = info && state.sliceDoc(info.from, info.to).match(/^block (.*)$/)?.[1].trim();
      const kind = name && kinds.find((k) => k.name === name);
      if (kind) found.push({ kind, from: state.doc.lineAt(node.from).from, to: state.doc.lineAt(node.to).to });
    }
    return found;
  };
  const blockAt = (state, at = state.selection.main.head) => blocksIn(state).find(({ from, to }) => from <= at && at <= to);
  const textOf = (state, { from, to }) => state.sliceDoc(from, to);

  const isBlock = (answer) => answer?.headers.get("Content-Type")?.startsWith("text/markdown");

  // formOf returns the form of an answer and its page, and the message of the page, or the reason why there is no form.
  async function formOf(answer) {
    const page = answer && !answer.redirected && (await pageOf(answer));
    const form = page && page.querySelector("main form.form");
    return { page, form, says: page?.querySelector(".error-page p, #problems p")?.textContent ?? (form ? "" : answer ? t("The session has ended") : t("The service cannot be reached.")) };
  }

  // show puts the form of an answer into the dialog, or says why there is none.
  async function show(answer, box, problem) {
    const { page, form, says } = await formOf(answer);
    problem.textContent = says;
    if (!form) return false;
    box.querySelector("h2").textContent = page.querySelector("h1").textContent;
    box.querySelector("form").replaceWith(form);
    localise(form);
    document.dispatchEvent(new CustomEvent("form-swapped", { detail: { form, step: "" } }));
    return true;
  }

  // open shows the form of a block in a dialog until it is closed. put gets the block as it was made there, or at once if the answer is one.
  let opening = false;
  async function open(address, body, put, begin = (box) => box.querySelector("form :is(input:not([type=hidden]), select, textarea, button[data-source])")?.focus()) {
    const { view } = editor;
    if (opening || view.state.readOnly) return;
    opening = true;
    const answer = await askPage(address, body);
    if (isBlock(answer)) {
      put(await answer.text());
      opening = false;
      return view.focus();
    }
    const problem = make("p", { className: "error" });
    problem.setAttribute("role", "alert");
    const box = make("dialog", { className: "question of-block" }, make("h2", { id: "block-title" }), problem, make("form"));
    box.setAttribute("aria-labelledby", "block-title");
    const opened = await show(answer, box, problem);
    opening = false;
    if (!opened) {
      say(problem.textContent);
      return view.focus();
    }
    box.addEventListener("submit", async (event) => {
      const { target: form, submitter } = event;
      const isStep = submitter?.name === "_do";
      if (isStep && !plain.has(submitter)) return; // the page takes the steps of every form
      event.preventDefault();
      if (isStep) plain.delete(submitter); // it cannot be asked without leaving the page: nothing is lost here
      const answer = isStep ? null : await askPage(form.action, new FormData(form));
      if (answer?.status === 401) return;
      if (isBlock(answer)) {
        put(await answer.text());
        return box.close("done");
      }
      await show(answer, box, problem);
      box.querySelector("[aria-invalid=true], .wrong :is(input:not([type=hidden]), select, textarea, button)")?.focus();
    });
    box.addEventListener("click", (event) => {
      if (!event.target.closest(".submit a")) return;
      event.preventDefault();
      box.close();
    });
    const ask = () => {
      document.body.append(box);
      box.showModal();
    };
    box.onclose = () => {
      const left = !box.returnValue && !untouched(box.querySelector("form"));
      box.remove();
      view.focus();
      const undo = () => { tell(); ask(); };
      if (left) tell(make("span", { textContent: t("Not saved.") }), " ", make("button", { type: "button", textContent: t("Undo"), onclick: undo }));
    };
    const form = box.querySelector("form");
    stored(form, stateOf(form));
    ask();
    begin(box);
    return new Promise((closed) => box.addEventListener("close", closed, { once: true }));
  }

  const address = (query) => `${editor.area.dataset.blocks}&locale=${encodeURIComponent(editor.area.lang)}${query}`;

  // put inserts a block behind the paragraph, list or block with the cursor, which goes to the line below.
  const put = (text) => {
    const { state } = editor.view;
    const { doc, selection: { main: { head } } } = state;
    let line = doc.lineAt(head);
    for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) if (node.from <= head && head <= node.to) line = doc.lineAt(node.to);
    const blank = (n) => n >= 1 && n <= doc.lines && !doc.line(n).text.trim();
    const empty = !line.text.trim();
    const before = !empty ? "\n\n" : line.number === 1 || blank(line.number - 1) ? "" : "\n";
    const insert = before + text.trimEnd() + (blank(line.number + 1) ? "" : "\n");
    const from = empty ? line.from : line.to;
    editor.view.dispatch({ changes: { from, to: line.to, insert }, userEvent: "input" });
    const end = blockAt(editor.view.state, from + before.length)?.to ?? from + before.length;
    editor.view.dispatch({ selection: { anchor: Math.min(end + 1, editor.view.state.doc.length) }, scrollIntoView: true });
  };

  const bodyOf = (inputs) => {
    const body = new FormData();
    for (const [name, value] of [["_csrf", theForm().elements._csrf.value], ...inputs]) body.append(name, value);
    return body;
  };

  // presets are those that a new block of the text can begin with.
  const presets = async () => {
    const form = new URL(editor.area.dataset.blocks, location);
    const { data } = await resultOf(await askJSON(new URL("presets?per_page=100", form)));
    return data?.filter(({ field }) => field === form.searchParams.get("field")) ?? [];
  };

  const insert = async (name) => {
    const { view } = editor;
    if (view.state.readOnly) return;
    const form = (query) => open(address(query), null, put);
    if (name) return form(`&type=${name}`);
    const [saved, clip] = await Promise.all([presets(), localStorage.blocks && load("clip")]);
    const blocks = clip?.copied(kinds.map((kind) => kind.name)) ?? [];
    const paste = async () => {
      for (const block of blocks) await open(address(`&type=${clip.kindOf(block)}`), bodyOf(block.fields.map(([field, value]) => [`block.${field}`, value])), put);
    };
    const button = (query, ...parts) => make("button", { onclick: () => form(query) }, ...parts);
    const buttons = kinds.map((kind) => button(`&type=${kind.name}`, kind.label));
    for (const { id, kind, name, image } of saved) {
      const { label } = kinds.find((k) => k.name === kind) ?? {}; // the type may be gone
      const sign = image ? make("img", { className: "thumb", alt: "", src: thumbnail(`${media}/media/${image}`) }) : tools.drawn(tools.insertBlock.icon);
      if (label) buttons.push(button(`&type=${kind}&preset=${id}`, sign, name, make("small", { textContent: label })));
    }
    if (blocks.length) buttons.push(clip.pasteButton(blocks, paste));
    if (buttons.length === 1) return buttons[0].onclick();
    (await load("insert"))?.choose(buttons, t("Insert block"), (b) => b.onclick());
    document.querySelector("dialog.question")?.addEventListener("close", () => view.focus());
  };

  const reading = (text) => bodyOf([["_do", "read"], ["text", text]]);

  const edit = (view, begin) => {
    const block = blockAt(view.state);
    if (!block || view.state.readOnly) return false;
    const text = textOf(view.state, block);
    open(address(""), reading(text), (next) => {
      const same = blocksIn(view.state).filter((b) => textOf(view.state, b) === text);
      const now = same.find((b) => b.from === block.from) ?? same[0]; // others may have changed the text around it
      if (!now) return put(next);
      view.dispatch({ changes: { ...now, insert: next.trimEnd() }, selection: { anchor: now.from }, userEvent: "input", scrollIntoView: true });
    }, begin);
    return true;
  };

  const copy = async (view) => {
    const { kind, ...place } = blockAt(view.state);
    const { form, says } = await formOf(await askPage(address(""), reading(textOf(view.state, place))));
    view.focus();
    if (!form) return say(says);
    const fields = [...new FormData(form)].filter(([name]) => name.startsWith("block.")).map(([name, value]) => [name.slice("block.".length), value]);
    (await load("clip"))?.keep([{ title: kind.label, fields: [["type", kind.name], ["_id", ""], ...fields] }]);
  };

  const remove = (view) => {
    const block = blockAt(view.state);
    if (!block || view.state.readOnly) return false;
    view.dispatch({ changes: { from: block.from, to: Math.min(block.to + 1, view.state.doc.length) }, userEvent: "input", scrollIntoView: true });
    view.focus();
    return true;
  };

  class Frame extends WidgetType {
    constructor(kind, text, on) {
      super();
      Object.assign(this, { kind, text, on });
    }
    eq(other) { return other.text === this.text && other.on === this.on; }
    toDOM(view) {
      const { words, pictures } = wordsOf(this.text.split("\n").slice(1, -1), this.kind.files);
      const box = make("span", { className: "block" }, make("span", { className: "kind", textContent: this.kind.label }));
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", t("Block: {1}", this.kind.label));
      if (!view.state.readOnly) {
        // The bar has the same button for the keyboard.
        const start = () => {
          view.dispatch({ selection: { anchor: view.posAtDOM(box) } });
          edit(view);
        };
        box.firstChild.after(make("button", { type: "button", tabIndex: -1, lang: document.documentElement.lang, dir: document.dir || "ltr", textContent: t("Edit block…"), onclick: start }));
        box.ondblclick = start;
      }
      for (const id of pictures) {
        const picture = look.pictureOf(`cms://media/${id}`, "", media);
        picture.onerror = () => picture.remove(); // a file of another kind
        picture.onload = () => view.requestMeasure();
        box.append(picture);
      }
      if (words) box.append(make("span", { className: "words", textContent: words }));
      return this.mark(box);
    }
    mark(box) {
      box.shown = this.text;
      box.classList.toggle("on", this.on);
      return box;
    }
    updateDOM(box) { return box.shown === this.text && Boolean(this.mark(box)); }
    ignoreEvent(event) { return Boolean(event.target.closest?.("button")); }
  }

  const made = (state) => {
    const blocks = blocksIn(state);
    const { head } = state.selection.main;
    return Decoration.set(blocks.map((b) => Decoration.replace({ widget: new Frame(b.kind, textOf(state, b), b.from <= head && head <= b.to) }).range(b.from, b.to)));
  };
  const frames = StateField.define({
    create: made,
    update: (value, tr) => (tr.docChanged || tr.selection || syntaxTree(tr.startState) !== syntaxTree(tr.state) ? made(tr.state) : value),
    provide: (f) => [EditorView.decorations.from(f), EditorView.atomicRanges.of((view) => view.state.field(f))],
  });

  // apart gives text that is typed beside a frame a line of its own, so that the block stays one.
  const apart = cm.EditorState.transactionFilter.of((tr) => {
    if (!tr.docChanged || tr.isUserEvent("undo") || tr.isUserEvent("redo")) return tr;
    const breaks = [];
    for (const block of blocksIn(tr.startState)) {
      const [from, to] = [tr.changes.mapPos(block.from, 1), tr.changes.mapPos(block.to, -1)];
      if (tr.newDoc.sliceString(from, to) !== textOf(tr.startState, block)) continue;
      if (from > tr.newDoc.lineAt(from).from) breaks.push({ from, insert: "\n" });
      if (to < tr.newDoc.lineAt(to).to) breaks.push({ from: to, insert: "\n" });
    }
    return breaks.length ? [tr, { changes: breaks, sequential: true }] : tr;
  });

  // onClipboard puts the block with the cursor on the clipboard if nothing is selected. The editor would take its first line.
  const onClipboard = (event, view) => {
    const block = view.state.selection.main.empty && blockAt(view.state);
    if (!block) return false;
    event.clipboardData.setData("text/plain", textOf(view.state, block));
    if (event.type === "cut") remove(view);
    return true;
  };

  const commands = [
    { name: t("Edit block…"), sign: t("Edit block…"), key: "Alt-Enter", run: (view) => edit(view) },
    { name: t("Copy"), sign: t("Copy"), run: copy },
    { name: t("Save as preset"), sign: t("Save as preset"), run: (view) => edit(view, (box) => box.querySelector("[value^='more block ']").click()) },
    { name: t("Remove block"), sign: t("Remove block"), run: remove },
  ];
  const bar = tools.toolbar(t("Block: {1}", label), (command) => command.run(editor.view), [], commands);
  bar.classList.add("more");
  const marked = (state) => { bar.hidden = state.readOnly || !blockAt(state); };
  marked(editor.view.state);

  return {
    bar, insert,
    source: [
      EditorView.updateListener.of((update) => update.transactions.length > 0 && marked(update.state)),
      keymap.of([
        { key: "Alt-Enter", run: (view) => edit(view) },
        { key: "Alt-F10", run: (view) => Boolean(blockAt(view.state) && !view.state.readOnly && (bar.querySelector("button[tabindex='0']").focus(), true)) },
      ]),
    ],
    shown: [
      frames, apart, EditorView.domEventHandlers({ copy: onClipboard, cut: onClipboard }),
      EditorView.baseTheme({
        ".cm-line:has(> .block)": { backgroundColor: "transparent" },
        ".block": {
          display: "inline-grid", gridTemplateColumns: "1fr auto", gap: ".3rem .8rem", alignItems: "center", width: "100%", boxSizing: "border-box", margin: ".2rem 0",
          padding: ".6rem .8rem", border: "1px solid var(--line)", borderRadius: "8px", backgroundColor: "var(--sunk)", fontFamily: "var(--sans)", fontSize: "1rem", verticalAlign: "top", cursor: "pointer",
        },
        ".block.on": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
        ".block .kind": { fontWeight: "600" },
        ".block button": { font: "inherit", fontSize: ".9rem", color: "var(--text)", backgroundColor: "var(--card)", border: "1px solid var(--edge)", borderRadius: "6px", padding: ".15rem .6rem", minHeight: "2rem", cursor: "pointer" },
        ".block .words, .block .picture": { gridColumn: "1 / -1", overflowWrap: "anywhere" },
        ".block .words": { color: "var(--soft)" },
        ".block img.picture": { maxHeight: "10rem" },
      }),
    ],
  };
}
