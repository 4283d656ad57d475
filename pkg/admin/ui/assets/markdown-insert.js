// Links, pictures and rich text on their way into an editor of Markdown.

const asked = async (address) => {
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).then((r) => r.json()).catch(() => null);
  return answer?.data ?? null;
};

// entries finds entries by words.
export const entries = async (q) => (q.trim() ? (await asked(`/admin/links?q=${encodeURIComponent(q.trim())}`)) ?? [] : []);

const escaped = (text) => text.replace(/[[\]\\]/g, "\\$&").replace(/\s*\n\s*/g, " ");
const target = (address) => (/[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address);
export const linkText = (text, address) => `[${escaped(text)}](${target(address)})`;
const pictureText = (alt, address) => `![${escaped(alt)}](${target(address)})`;

const replace = (view, from, to, insert) => {
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input", scrollIntoView: true });
  view.focus();
};

// placed puts a picture into a paragraph of its own, behind the one with the cursor; in a row of a table it stands in its cell.
function placed(view, text) {
  const { doc, selection } = view.state;
  const line = doc.lineAt(selection.main.to);
  if (/^\s*\|.*\|\s*$/.test(line.text)) return replace(view, selection.main.to, selection.main.to, text);
  const empty = !line.text.trim();
  const follows = line.number < doc.lines && doc.line(line.number + 1).text.trim();
  const above = empty && line.number > 1 && doc.line(line.number - 1).text.trim() ? "\n" : "";
  replace(view, empty ? line.from : line.to, line.to, `${empty ? above : "\n\n"}${text}${follows ? "\n" : ""}`);
}

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
  let { from, to } = state.selection.main;
  let text = state.sliceDoc(from, to), address = "";
  let node = cm.syntaxTree(state).resolveInner(from, from === to ? -1 : 1);
  while (node && node.name !== "Link") node = node.parent;
  const there = node?.getChild("URL");
  if (there) {
    [from, to] = [node.from, node.to];
    text = state.sliceDoc(from, to).replace(/^\[([\s\S]*?)\]\([\s\S]*$/, "$1");
    address = state.sliceDoc(there.from, there.to);
  } else if (/^https?:\/\/\S+$/.test(text)) {
    address = text;
  }
  const [textBox, textInput] = field(t("Text"), { value: text, required: true });
  const [addressBox, addressInput] = field(t("Address"), { value: address, required: true, spellcheck: false, dir: "ltr" });
  const [findBox, find] = field(t("Find an entry"), { type: "search", autocomplete: "off" });
  const found = make("ul", { className: "found" });
  const says = make("p", { className: "help" });
  says.setAttribute("role", "status");
  let typing, mine = 0;
  const search = async () => {
    const turn = ++mine;
    const list = await entries(find.value);
    if (turn !== mine) return;
    says.textContent = !find.value.trim() ? "" : tn(list.length, "{1} entry", "{1} entries");
    found.replaceChildren(...list.map((e) => make("li", {}, make("button", { type: "button", onclick: () => {
      addressInput.value = `cms://entry/${e.id}`;
      textInput.value ||= e.title;
      textInput.focus();
    } }, e.title, " ", make("small", { className: "muted", textContent: [e.model, e.locale].filter(Boolean).join(", ") })))));
  };
  find.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(search, 200);
  };
  find.onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(typing);
    search().then(() => found.querySelector("button")?.focus());
  };
  dialog(t("Link"), [textBox, addressBox, findBox, says, found], t("Insert"), () => replace(view, from, to, linkText(textInput.value, addressInput.value.trim())), () => view.focus());
  (text ? addressInput : textInput).focus();
}

// describe asks for the alternative text of a picture, which is known or still on its way, and inserts it at a place.
function describe(view, name, arriving, note) {
  return new Promise((resolve) => {
    const [box, alt] = field(t("Alternative text"), { autocomplete: "off" }, t("Says what the picture shows, to people who do not see it. Empty: it is only decoration."));
    const says = make("p", { className: "help", textContent: note });
    says.setAttribute("role", "status");
    const form = dialog(t("Picture: {1}", name), [box, says], t("Insert"), async () => {
      const file = await arriving((text) => { says.textContent = text; }).catch((problem) => {
        says.textContent = problem.message;
        says.className = "error";
        return null;
      });
      if (!file) return false;
      const text = alt.value.trim();
      if (text && text !== file.alt) {
        const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": theForm().elements._csrf.value };
        await fetch(`/admin/media/${file.id}`, { method: "PUT", headers, body: JSON.stringify({ alt: text }) }).catch(() => null); // the text has it all the same
      }
      placed(view, pictureText(text, `cms://media/${file.id}`));
      return true;
    }, () => {
      view.focus();
      resolve();
    });
    arriving((text) => { says.textContent = text; }).then((file) => { if (!alt.value && form.isConnected) alt.value = file?.alt ?? ""; }, () => null);
    alt.focus();
  });
}

const mayUpload = () => "direct" in theForm().dataset;

// pictures sends those that were dropped or pasted to the library, one after the other.
export async function pictures(view, files) {
  const { direct, max } = theForm().dataset;
  const form = make("form", { action: "/admin/media" }, make("input", { name: "_csrf", value: theForm().elements._csrf.value }));
  const uploads = await load("upload");
  for (const file of files) {
    let tell = () => {};
    const sent = !uploads ? Promise.reject(new Error(t("The connection broke."))) : uploads.upload(file, form, { direct, max }, (part) => tell(part < 1 ? t("Uploading: {1} %", Math.floor(part * 100)) : t("The picture is being checked")));
    sent.then(() => tell(t("Uploaded.")), (problem) => tell(problem.message));
    await describe(view, file.name, (say) => {
      tell = say;
      return sent;
    }, t("Uploading…"));
  }
}

// image asks for a picture of the library.
export function image(cm, view) {
  const chosen = make("ul");
  const template = make("template");
  template.content.append(make("li", {}, make("input", { type: "radio" }), make("img", { alt: "" }), make("span", { className: "what" }), make("small")));
  const button = make("button");
  Object.assign(button.dataset, { source: "/admin/media?filter[mime]=image/*" }, mayUpload() && { add: "/admin/media/create", addText: t("Upload a file") });
  make("fieldset", {}, make("legend", { textContent: t("Picture") }), chosen, template, button);
  new MutationObserver(async (changes, observer) => {
    observer.disconnect();
    const id = chosen.querySelector("input").value;
    const file = await asked(`/admin/media/${encodeURIComponent(id)}`);
    if (file) describe(view, file.name, async () => file, "");
  }).observe(chosen, { childList: true });
  choose(button);
}

// cleaned is pasted rich text without what office programs put around it, and the names of what Markdown cannot keep. The content policy lets no
// style in, so that those of elements are read from another attribute.
function cleaned(html) {
  const plain = html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, " data-style="));
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  const lost = new Set();
  const styled = (e, what) => what.test(e.dataset.style ?? "");
  for (const e of body.querySelectorAll("script, meta, link, title, o\\:p")) e.remove();
  wordLists(body);
  for (const e of body.querySelectorAll("b, strong")) if (styled(e, /(^|[;\s])font-weight:\s*(normal|400)/) || !e.textContent.trim()) e.replaceWith(...e.childNodes);
  for (const e of body.querySelectorAll("span, font")) {
    const bold = styled(e, /(^|[;\s])font-weight:\s*(bold|[6-9]00)/), italic = styled(e, /font-style:\s*italic/), struck = styled(e, /text-decoration[^;]*line-through/);
    if (styled(e, /text-decoration[^;]*underline/) && !e.closest("a") && !e.querySelector("a")) lost.add(t("underlines"));
    if (styled(e, /vertical-align:\s*(super|sub)/)) lost.add(t("raised and lowered characters"));
    if (!e.textContent.trim() || e.closest("h1, h2, h3, h4, h5, h6")) continue;
    const inner = [italic && "em", bold && "strong", struck && "del"].filter(Boolean).reduce((list, tag) => [make(tag, {}, ...list)], [...e.childNodes]);
    if (inner[0] !== e.childNodes[0] || inner.length !== e.childNodes.length) e.replaceWith(...inner);
  }
  for (const e of body.querySelectorAll("u, ins")) if (!e.closest("a") && !e.querySelector("a") && e.textContent.trim()) lost.add(t("underlines"));
  for (const e of body.querySelectorAll("sup, sub")) if (e.textContent.trim()) lost.add(t("raised and lowered characters"));
  for (const e of body.querySelectorAll("iframe, video, audio, object, embed")) {
    lost.add(t("videos and embedded pages"));
    e.remove();
  }
  for (const e of body.querySelectorAll("h1")) e.replaceWith(make("h2", {}, ...e.childNodes)); // the title of the page is its first heading
  for (const e of body.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol")) (e.previousElementSibling?.localName === "li" ? e.previousElementSibling : e.parentElement.insertBefore(make("li"), e)).append(e);
  for (const e of body.querySelectorAll("dt")) e.replaceWith(make("p", {}, make("strong", {}, ...e.childNodes)));
  for (const e of body.querySelectorAll("dd")) e.replaceWith(make("p", {}, ...e.childNodes));
  for (const e of body.querySelectorAll("li .checkbox, li input[type=checkbox]")) e.replaceWith(e.matches(".checkbox-on, :checked") ? "[x] " : "[ ] ");
  for (const e of body.querySelectorAll("li > p:first-child, th > p:only-child, td > p:only-child")) e.replaceWith(...e.childNodes);
  body.querySelectorAll("table").forEach(withHead);
  for (const e of body.querySelectorAll("img")) {
    const address = e.getAttribute("src") ?? "";
    if (address.startsWith("data:image/") || address.startsWith("/media/") || address.startsWith(`${location.origin}/media/`)) continue;
    lost.add(t("pictures of other sites"));
    e.remove();
  }
  return { body, lost };
}

// wordLists makes lists of the paragraphs that Word writes for their points.
function wordLists(body) {
  const lists = []; // the open ones, by level
  for (const p of body.querySelectorAll("p, h1, h2, h3, h4, h5, h6")) {
    const [, level] = (p.dataset.style ?? "").match(/mso-list:\s*l\d+\s+level(\d+)/i) ?? [];
    if (!level) {
      lists.length = 0;
      continue;
    }
    const sign = [...p.querySelectorAll("span")].find((e) => /mso-list:\s*ignore/i.test(e.dataset.style ?? ""));
    const ordered = /^\s*\(?([0-9]+|[a-z]{1,4})[.)]/i.test(sign?.textContent ?? p.textContent);
    const li = make("li");
    sign?.remove();
    li.append(...p.childNodes);
    if (!sign && li.firstChild?.nodeType === 3) li.firstChild.data = li.firstChild.data.replace(/^\s*([·•o§▪-]|\(?\w{1,4}[.)])[\s\u00a0]+/, "");
    lists.length = Math.min(lists.length, Number(level));
    if (lists.length > 0 && lists[0].parentElement === null) lists.length = 0;
    while (lists.length < Number(level)) {
      const list = make(ordered ? "ol" : "ul");
      const outer = lists.at(-1);
      if (outer) (outer.lastElementChild ?? outer.appendChild(make("li"))).append(list);
      else p.before(list);
      lists.push(list);
    }
    lists.at(-1).append(li);
    p.remove();
  }
}

// withHead makes the first row of a table its head, and each cell a line.
function withHead(table) {
  for (const cell of table.querySelectorAll("td, th")) {
    cell.querySelectorAll("br").forEach((e) => e.replaceWith(" "));
    cell.querySelectorAll("p, div").forEach((e) => e.replaceWith(...e.childNodes, " "));
  }
  for (const cell of table.rows[0]?.querySelectorAll("td") ?? []) cell.replaceWith(make("th", {}, ...cell.childNodes));
}

// richText is pasted rich text as Markdown, with the names of what it lost. say gives its pictures to the library.
export async function richText(html, store = async () => null) {
  const { TurndownService, gfm } = await load("turndown");
  const service = new TurndownService({ headingStyle: "atx", bulletListMarker: "-", codeBlockStyle: "fenced", emDelimiter: "*", hr: "---" });
  service.use(gfm);
  const { body, lost } = cleaned(html);
  for (const e of body.querySelectorAll("img[src^='data:']")) {
    const file = await store(e.getAttribute("src"), e.alt).catch(() => null);
    if (file) e.setAttribute("src", `cms://media/${file.id}`);
    else {
      lost.add(t("pictures"));
      e.remove();
    }
  }
  const text = service.turndown(body).replace(/^(\s*(?:[-*+]|\d+\.)) {2,3}/gm, "$1 ").replace(/^(\s*- )\\\[( |x)\\\]/gm, "$1[$2]").replaceAll("\u00a0", " ");
  return { text, lost: [...lost] };
}

// stored puts a picture that was part of a paste into the library.
async function stored(address, alt) {
  const uploads = await load("upload");
  const [, mime, data] = address.match(/^data:(image\/[\w.+-]+);base64,(.*)$/s);
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const { direct, max } = theForm().dataset;
  const form = make("form", { action: "/admin/media" }, make("input", { name: "_csrf", value: theForm().elements._csrf.value }), make("input", { name: "alt", value: alt ?? "" }));
  return uploads.upload(new File([bytes], `pasted.${mime.slice(6).replace("jpeg", "jpg").replace("svg+xml", "svg")}`, { type: mime }), form, { direct, max }, () => {});
}

// pasted handles what is pasted or dropped, and reports whether it did. say shows what was left out.
export function pasted(view, data, say) {
  const files = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  const html = data?.getData("text/html") ?? "";
  const plain = data?.getData("text/plain") ?? "";
  if (files.length > 0 && !plain.trim() && mayUpload()) {
    pictures(view, files);
    return true;
  }
  const { from, to } = view.state.selection.main;
  const chosen = view.state.sliceDoc(from, to);
  if (/^https?:\/\/\S+$/.test(plain.trim()) && chosen.trim() && !chosen.includes("\n") && !/^https?:/.test(chosen)) {
    replace(view, from, to, `[${chosen}](${target(plain.trim())})`);
    return true;
  }
  if (!html || data.types.includes("vscode-editor-data")) return false;
  richText(html, stored).catch(() => ({ text: plain, lost: [] })).then(({ text, lost }) => {
    view.dispatch(view.state.replaceSelection(text || plain), { userEvent: "input.paste", scrollIntoView: true });
    say(lost.length ? t("Not kept of what was pasted: {1}.", lost.join(", ")) : "");
  });
  return true;
}
