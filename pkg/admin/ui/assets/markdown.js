// Fields of Markdown become editors that show the text as it will look. The text stays in the textarea of the form, which
// works without this script; the editor stands in a shadow root, where the content policy lets it have styles.
"use strict";

{
  const editors = new Map(); // by textarea
  const long = 50_000; // characters of a text that is copied into its textarea once a second at most while one types
  let parts = null; // the modules, once a field of Markdown is seen

  // mirror writes the text of an editor into its textarea, and says so as typing there would.
  const mirror = (editor) => {
    clearTimeout(editor.timer);
    editor.timer = null;
    const text = editor.view.state.doc.toString();
    if (text === editor.area.value) return;
    editor.area.value = text;
    editor.mirroring = true;
    editor.area.dispatchEvent(new Event("input", { bubbles: true }));
    editor.mirroring = false;
  };
  const mirrorAll = () => editors.forEach((editor) => editor.timer && mirror(editor));

  // take shows in an editor what a script wrote into its textarea.
  const take = (editor) => {
    const { view, area } = editor;
    if (!editor.mirroring && area.value !== view.state.doc.toString()) change(view, area.value);
  };
  // change replaces what differs between a text and a new one, so that the cursor stays.
  const change = (view, text) => {
    const old = view.state.doc.toString();
    let from = 0, end = 0;
    while (from < old.length && old[from] === text[from]) from++;
    while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) end++;
    view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) }, filter: false });
  };

  const labelOf = (area) => area.labels[0]?.firstChild.data.trim() ?? area.name;
  const helpOf = (area) => document.getElementById(area.getAttribute("aria-describedby"))?.innerText.trim();

  function attributesOf(area) {
    const attributes = { "aria-label": labelOf(area), spellcheck: "true", autocorrect: "on", autocapitalize: "sentences" };
    const help = helpOf(area);
    if (area.lang) attributes.lang = area.lang;
    if (area.dir) attributes.dir = area.dir;
    if (help) attributes["aria-description"] = help;
    if (area.ariaInvalid === "true") attributes["aria-invalid"] = "true";
    if (area.ariaRequired === "true") attributes["aria-required"] = "true";
    return attributes;
  }

  function build(area, all) {
    const { cm, look, tools, insert } = all;
    const { EditorView, EditorState, Compartment, keymap } = cm;
    const editor = { area, timer: null };
    const host = make("div", { className: "markdown-text", lang: area.lang, dir: area.dir });
    host.dataset.editor = "";
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:host { display: block; position: relative; } ${insert.menuStyle} ::highlight(found) { background: #ffd54f; color: #171b26; }`);
    root.adoptedStyleSheets = [sheet];
    const preview = new Compartment(), named = new Compartment(), parted = new Compartment();
    const media = area.form?.dataset.media ?? "";
    const live = look.livePreview(cm, media);
    const kinds = (area.dataset.kinds ?? "").split("\n").filter(Boolean).map((line) => {
      const [names, label] = line.split("\t"), [name, ...files] = names.split(" ");
      return { name, files, label };
    });
    const commands = [...tools.commands, ...(kinds.length ? [tools.insertBlock] : []), ...kinds.map(({ name, label }) => ({ name: label, words: tools.insertBlock.words, block: name }))];
    const modules = new Map(); // what edits tables and blocks; a text without such parts needs none
    const count = make("span", { className: "muted" });
    const source = make("button", { type: "button", ariaPressed: "false", title: t("Show all marks") }, tools.drawn("M9.5 4l-2 16M16.5 4l-2 16M4 9h16.5M3.5 15H20"), make("span", { className: "hidden", textContent: t("Source") }));
    const wide = make("button", { type: "button", ariaLabel: t("Full screen"), title: t("Full screen"), ariaPressed: "false" }, tools.drawn("M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7"));
    const said = make("span");
    said.setAttribute("role", "status");
    const say = (text) => { said.textContent = text; };
    const find = () => load("markdown-find").then((panel) => panel?.open(editor, labelOf(editor.area)));
    const use = (command) => {
      if (command.find) return find();
      if (command.block !== undefined) return bring("blocks").then((blocks) => blocks?.insert(command.block));
      if (command.opens) insert[command.opens](cm, editor.view);
      else {
        command.run(editor.view);
        editor.view.focus();
      }
    };
    const bar = tools.toolbar(t("Format: {1}", labelOf(area)), use, [source, wide], commands);
    const found = async (kind, text) => {
      const q = text.trim().toLowerCase();
      const table = modules.get("table");
      const list = kind === "command" ? commands : table?.at(editor.view.state) ? table.commands : [];
      if (kind !== "entry") return list.filter((c) => `${c.name} ${c.words ?? ""}`.toLowerCase().includes(q)).map((c) => ({ name: c.name, run: () => use(c) }));
      return (await insert.entries(text)).slice(0, 8).map((e) => ({ name: e.title, note: [e.model, e.locale].filter(Boolean).join(", "), run: (view) => view.dispatch(view.state.replaceSelection(insert.linkText(e.title, `cms://entry/${e.id}`)), { userEvent: "input" }) }));
    };
    let counting;
    // counted counts words piece by piece, so that no key waits for a long text.
    const counted = async () => {
      const own = (counting = setTimeout(() => {}));
      const text = editor.view.state.doc.toString();
      let n = 0;
      for (let at = 0, end; at < text.length; at = end) {
        if (at > 0) await new Promise((next) => setTimeout(next));
        if (own !== counting) return;
        end = text.indexOf("\n", at + 20_000);
        if (end < 0) end = text.length;
        n += tools.words(text.slice(at, end).replace(/\]\([^)\s]*\)|https?:\/\/\S+/g, "]"), area.lang); // addresses are no words
      }
      count.textContent = tn(n, "{1} word", "{1} words");
    };
    const of = (part) => [...modules.values()].map((m) => m[part]);
    const shown = () => (source.ariaPressed === "true" ? [] : [live, of("shown")]);
    const bars = make("div", { className: "markdown-bars" }, bar);
    // bring loads a module while one may go on typing; typed tells it that a key asked for it.
    const bring = async (name, typed = false) => {
      const module = await load(`markdown-${name}`);
      if (module && !modules.has(name)) {
        modules.set(name, module.edits(all, { editor, typed, kinds, bar, label: labelOf(area), media, use, say }));
        bars.append(modules.get(name).bar);
        editor.view.dispatch({ effects: [preview.reconfigure(shown()), parted.reconfigure(of("source"))] });
      }
      return modules.get(name);
    };
    const needs = (text) => {
      if (text.includes("|") && !modules.has("table")) bring("table", !text.includes("\n"));
      if (kinds.length && /[\x60~]/.test(text) && !modules.has("blocks")) bring("blocks");
    };
    const changed = cm.EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        if (modules.size < 2) update.changes.iterChanges((a, b, c, d, text) => needs(text.toString()));
        clearTimeout(counting);
        counting = setTimeout(counted, 500);
        if (!editor.mirroring) editor.timer ??= setTimeout(() => mirror(editor), update.state.doc.length > long ? 1000 : 100);
      }
      if (update.docChanged || update.selectionSet) tools.pressed(bar, tools.placesOf(cm, update.state));
      if (update.focusChanged && !update.view.hasFocus && editor.timer) mirror(editor);
    });
    const readOnly = area.matches(":disabled");
    editor.view = new EditorView({
      root, parent: root,
      state: EditorState.create({ doc: area.value, extensions: [
        insert.menu(cm, root, found), cm.history(), named.of(EditorView.contentAttributes.of(attributesOf(area))), EditorView.lineWrapping, look.look(cm), parted.of([]), preview.of(live), changed,
        new cm.LanguageSupport(cm.markdownLanguage), EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly), EditorState.allowMultipleSelections.of(true), EditorState.transactionFilter.of(tools.apart),
        keymap.of([
          { key: "Tab", run: tools.nest(1) }, { key: "Shift-Tab", run: tools.nest(-1) },
          { key: "Mod-f", preventDefault: true, run: () => (find(), true) }, { key: "Mod-h", preventDefault: true, run: () => (find(), true) },
          ...tools.commands.filter((c) => c.key).map((c) => ({ key: c.key, preventDefault: true, run: () => (use(c), true) })),
          { key: "Alt-F10", run: () => (bar.querySelector("button[tabindex='0']").focus(), true) },
          { key: "Enter", run: cm.insertNewlineContinueMarkup }, { key: "Backspace", run: cm.deleteMarkupBackward },
          ...cm.historyKeymap, ...cm.standardKeymap,
        ]),
        EditorView.domEventHandlers({
          // Firefox keeps a selection of several nodes in a shadow tree, and inserts before it.
          beforeinput: (event, view) => {
            if (event.inputType !== "insertText" || event.isComposing || view.state.selection.main.empty) return false;
            view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
            return true;
          },
          paste: (event, view) => insert.pasted(view, event.clipboardData, say),
          drop: (event, view) => {
            if (!event.dataTransfer?.files.length) return false;
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            if (at !== null) view.dispatch({ selection: { anchor: at } });
            return insert.pasted(view, event.dataTransfer, say);
          },
        }),
      ] }),
    });
    source.onclick = () => {
      source.ariaPressed = String(source.ariaPressed !== "true");
      editor.view.dispatch({ effects: preview.reconfigure(shown()) });
    };
    editor.box = make("div", { className: "markdown-editor" }, bars, host, make("p", { className: "markdown-foot" }, said, " ", count));
    const widen = (on) => {
      editor.box.classList.toggle("wide", on);
      wide.ariaPressed = String(on);
    };
    wide.onclick = () => widen(wide.ariaPressed !== "true");
    editor.box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing || wide.ariaPressed !== "true") return;
      widen(false);
      wide.focus();
    });
    editor.rename = () => editor.view.dispatch({ effects: named.reconfigure(EditorView.contentAttributes.of(attributesOf(editor.area))) });
    counted();
    needs(area.value);
    return editor;
  }

  // settle puts an editor in the place of a textarea. What leads to the textarea leads to the editor.
  function settle(editor, area) {
    const typing = document.activeElement === area && [area.selectionStart, area.selectionEnd];
    editor.area = area;
    area.hidden = true;
    area.after(editor.box);
    area.focus = () => editor.view.focus();
    area.scrollIntoView = (how) => editor.box.scrollIntoView(how);
    area.selected = () => editor.view.state.sliceDoc(editor.view.state.selection.main.from, editor.view.state.selection.main.to);
    area.setSelectionRange = (anchor, head) => {
      take(editor);
      editor.view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
      editor.view.focus();
    };
    area.addEventListener("input", () => take(editor));
    if (area.labels[0]) area.labels[0].onclick = () => editor.view.focus();
    editors.set(area, editor);
    editor.rename();
    if (!typing) return;
    const [anchor, head] = typing.map((at) => Math.min(at, editor.view.state.doc.length));
    editor.view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
    editor.view.focus();
  }

  // mount makes an editor of a textarea that comes near to what is seen; the others cost nothing.
  const seen = new IntersectionObserver((areas) => {
    for (const { target, isIntersecting } of areas) if (isIntersecting) mount(target);
  }, { rootMargin: "50%" });

  async function mount(area) {
    seen.unobserve(area);
    parts ??= Promise.all(["codemirror", "markdown-view", "markdown-tools", "markdown-insert"].map(load)).then(([cm, look, tools, insert]) => cm && look && tools && insert ? { cm, look, tools, insert } : null);
    const all = await parts;
    if (!all) parts = null; // the textarea stays
    else if (area.isConnected && !editors.has(area)) settle(build(area, all), area);
  }

  const watch = () => {
    for (const area of document.querySelectorAll("textarea.markdown")) if (!editors.has(area)) seen.observe(area);
  };

  // An editor goes on, with its cursor and what can be undone, when the form around it is replaced.
  let focused = null;
  document.addEventListener("form-swapping", () => {
    mirrorAll();
    focused = [...editors.values()].find(({ view }) => view.dom.contains(view.root.activeElement)) ?? null;
  });
  document.addEventListener("form-swapped", ({ detail: { form, step } }) => {
    for (const [area, editor] of [...editors]) {
      if (area.isConnected) continue;
      editors.delete(area);
      const name = renamed(area.name, step);
      const next = name && form.querySelector(`textarea.markdown[name="${CSS.escape(name)}"]`);
      if (!next) {
        editor.view.destroy();
        continue;
      }
      settle(editor, next);
      take(editor);
      if (editor === focused) editor.view.focus();
    }
    watch();
  });

  for (const kind of ["submit", "pointerdown"]) document.addEventListener(kind, mirrorAll, true);
  document.addEventListener("formdata", mirrorAll, true);
  document.addEventListener("keydown", (event) => (event.ctrlKey || event.metaKey) && mirrorAll(), true);
  document.addEventListener("visibilitychange", mirrorAll, true);
  addEventListener("beforeunload", mirrorAll, true);
  watch();
}
