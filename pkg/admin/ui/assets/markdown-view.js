// How Markdown looks while one writes it: headings, emphasis, links, lists, code and pictures are shown as such, and
// their marks only on the lines that the cursor is on. The text itself is never changed by it.

export const hiddenMarks = new Set(["EmphasisMark", "StrikethroughMark", "LinkMark", "LinkTitle", "LinkLabel", "CodeMark", "HeaderMark", "QuoteMark"]);
const lineClasses = {
  ATXHeading1: "h1", ATXHeading2: "h2", ATXHeading3: "h3", ATXHeading4: "h4", ATXHeading5: "h5", ATXHeading6: "h6",
  SetextHeading1: "h1", SetextHeading2: "h2", Blockquote: "quote", FencedCode: "code", CodeBlock: "code", Table: "table", HTMLBlock: "html",
};
export const marks = { Emphasis: "em", StrongEmphasis: "strong", Strikethrough: "strike", InlineCode: "inline-code", Link: "link", Autolink: "link", HTMLTag: "html" };

// shownPicture is the address of a picture that the page may load: one of the library. Others are named only.
const shownPicture = (address, media) => {
  try {
    const url = new URL(address.replace(/^cms:\/\/media\//, `${media || location.origin}/media/`), location.origin);
    const known = url.origin === location.origin ? url.pathname.startsWith("/media/") : url.origin === media;
    return known ? url.href : null;
  } catch {
    return null;
  }
};

// pictureOf shows a picture of the library, and names another.
export const pictureOf = (url, alt, media) => {
  const address = url.replace(/^<|>$/g, "");
  const src = shownPicture(address, media);
  return src ? make("img", { className: "picture", alt, src }) : make("span", { className: "picture", textContent: `🖼 ${alt || address}` });
};

// livePreview is the extension that shows a text so; media is the origin of the library's files.
export function livePreview(cm, media) {
  const { Decoration, EditorView, ViewPlugin, WidgetType, syntaxTree } = cm;

  class Picture extends WidgetType {
    constructor(address, alt) {
      super();
      Object.assign(this, { address, alt });
    }
    eq(other) { return other.address === this.address && other.alt === this.alt; }
    toDOM(view) {
      const e = pictureOf(this.address, this.alt, media);
      e.onload = () => view.requestMeasure();
      return e;
    }
    ignoreEvent() { return false; }
  }

  class Sign extends WidgetType {
    constructor(text) {
      super();
      this.text = text;
    }
    eq(other) { return other.text === this.text; }
    toDOM() {
      const e = document.createElement("span");
      e.className = "sign";
      e.textContent = this.text;
      return e;
    }
    ignoreEvent() { return false; }
  }

  const hide = Decoration.replace({});
  const styled = Object.fromEntries(Object.values(marks).map((name) => [name, Decoration.mark({ class: `md-${name}` })]));
  const faint = Decoration.mark({ class: "md-faint" });

  function decorate(view) {
    const { state } = view;
    const { doc } = state;
    const found = [];
    const edited = (from, to) => view.hasFocus && state.selection.ranges.some((r) => r.to >= doc.lineAt(from).from && r.from <= doc.lineAt(to).to);
    const text = (node) => doc.sliceString(node.from, node.to);
    const lines = (node, name) => {
      const last = Math.min(node.to, view.viewport.to);
      for (let at = Math.max(node.from, view.viewport.from); at <= last;) {
        const line = doc.lineAt(at);
        found.push(Decoration.line({ class: `md-${name}` }).range(line.from));
        at = line.to + 1;
      }
    };
    const mark = (node) => {
      if (edited(node.from, node.to) || node.name === "CodeMark" && node.node.parent.name !== "InlineCode") return found.push(faint.range(node.from, node.to));
      if (node.name === "LinkMark" && node.node.parent.name === "LinkReference") return found.push(faint.range(node.from, node.to));
      const parent = node.node.parent.name;
      if (parent.startsWith("Setext")) return found.push(faint.range(node.from, node.to));
      const block = node.name === "HeaderMark" || node.name === "QuoteMark";
      const end = block && doc.sliceString(node.to, node.to + 1) === " " ? node.to + 1 : node.to;
      if (end > node.from) found.push(hide.range(node.from, end));
    };
    for (const { from, to } of view.visibleRanges) {
      syntaxTree(state).iterate({
        from, to,
        enter(node) {
          const { name } = node;
          if (lineClasses[name]) lines(node, lineClasses[name]);
          if (marks[name]) found.push(styled[marks[name]].range(node.from, node.to));
          if (name === "Image") {
            const address = node.node.getChild("URL");
            if (address && !edited(node.from, node.to) && doc.lineAt(node.from).number === doc.lineAt(node.to).number) {
              const alt = text(node).match(/^!\[([^\]]*)\]/)?.[1] ?? "";
              found.push(Decoration.replace({ widget: new Picture(text(address), alt) }).range(node.from, node.to));
              return false;
            }
          } else if (name === "URL" && node.node.parent.name === "Link" && !edited(node.from, node.to)) {
            found.push(hide.range(node.from, node.to));
          } else if (name === "ListMark") {
            const bullet = /^[-*+]$/.test(text(node));
            if (bullet && !edited(node.from, node.to)) found.push(Decoration.replace({ widget: new Sign("•") }).range(node.from, node.to));
            else found.push(faint.range(node.from, node.to));
          } else if (name === "TaskMarker" && !edited(node.from, node.to)) {
            found.push(Decoration.replace({ widget: new Sign(/x/i.test(text(node)) ? "☑" : "☐") }).range(node.from, node.to));
          } else if (name === "HorizontalRule") {
            lines(node, "rule");
          } else if (hiddenMarks.has(name)) {
            mark(node);
          }
        },
      });
    }
    return Decoration.set(found, true);
  }

  const plugin = ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = decorate(view); }
    update(update) {
      const { docChanged, viewportChanged, selectionSet, focusChanged, startState, state, view } = update;
      if (docChanged || viewportChanged || selectionSet || focusChanged || syntaxTree(startState) !== syntaxTree(state)) this.decorations = decorate(view);
    }
  }, { decorations: (p) => p.decorations });

  return [plugin, EditorView.editorAttributes.of({ class: "preview" })];
}

// look is the style of an editor, in the colours of the page.
export function look(cm) {
  const heading = (size) => ({ fontSize: size, fontWeight: "680", lineHeight: "1.3", paddingBlock: ".35em .15em" });
  return cm.EditorView.theme({
    "&": { color: "var(--text)", backgroundColor: "var(--card)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: ".4rem" },
    ".cm-scroller": { fontFamily: "var(--mono)", fontSize: ".9rem", lineHeight: "1.6", maxHeight: "var(--editor-height, 70vh)", overflow: "auto" },
    "&.preview .cm-scroller": { fontFamily: "var(--sans)", fontSize: "1rem" },
    ".cm-content": { minHeight: "12rem", padding: ".8rem 0", caretColor: "var(--text)", overflowWrap: "anywhere" },
    ".cm-line": { padding: "0" },
    ".md-h1": heading("1.6em"), ".md-h2": heading("1.35em"), ".md-h3": heading("1.15em"), ".md-h4": heading("1.05em"), ".md-h5": heading("1em"), ".md-h6": heading("1em"),
    ".md-em": { fontStyle: "italic" }, ".md-strong": { fontWeight: "700" }, ".md-strike": { textDecoration: "line-through" },
    ".md-link": { color: "var(--accent)", textDecoration: "underline" },
    ".md-inline-code, .md-code, .md-table, .md-html": { fontFamily: "var(--mono)", fontSize: ".88em" },
    ".md-inline-code, .md-code": { backgroundColor: "var(--sunk)" },
    ".md-table": { whiteSpace: "pre-wrap" },
    ".md-html, .md-faint, .sign": { color: "var(--soft)" },
    ".md-quote": { borderInlineStart: "3px solid var(--edge)", paddingInlineStart: ".8em", color: "var(--soft)" },
    ".md-rule": { color: "var(--soft)", borderBottom: "1px solid var(--line)" },
    "img.picture": { maxWidth: "100%", maxHeight: "20rem", borderRadius: "8px", display: "inline-block", verticalAlign: "bottom" },
    "span.picture": { backgroundColor: "var(--sunk)", border: "1px solid var(--line)", borderRadius: "6px", padding: "0 .4em" },
  });
}
