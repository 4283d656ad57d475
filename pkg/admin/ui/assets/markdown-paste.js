// Rich text that is pasted becomes Markdown. The module comes with the first paste.

// cleaned is pasted rich text without what office programs put around it, and the names of what Markdown cannot keep. The content policy lets no
// style in, so that those of elements are read from another attribute.
function cleaned(html) {
  const plain = html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, " data-style="));
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  const lost = new Set();
  const styled = (e, what) => what.test(e.dataset.style ?? "");
  for (const e of body.querySelectorAll("script, meta, link, title, o\\:p")) e.remove();
  for (const e of body.querySelectorAll("object:has(table)")) e.replaceWith(...e.childNodes); // of Apple Notes
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
  for (const e of body.querySelectorAll("li[role=checkbox]")) { // of Google Docs
    e.querySelector("img")?.remove();
    e.prepend(e.ariaChecked === "true" ? "[x] " : "[ ] ");
  }
  for (const e of body.querySelectorAll("pre:not(:has(code))")) e.replaceChildren(make("code", {}, ...e.childNodes));
  for (const e of body.querySelectorAll("a[href]")) {
    const address = e.getAttribute("href").trim();
    e.setAttribute("href", address);
    if (!/^(#|(?!https?:|mailto:|tel:|cms:)[a-z][a-z\d+.-]*:)/i.test(address)) continue;
    if (e.textContent.trim()) lost.add(t("links that only work in their document"));
    e.replaceWith(...e.childNodes);
  }
  for (const e of body.querySelectorAll("li > p:first-child, th > p:only-child, td > p:only-child")) e.replaceWith(...e.childNodes);
  for (const table of body.querySelectorAll("table")) withHead(table, lost);
  for (const e of body.querySelectorAll("img")) {
    const address = e.getAttribute("src") ?? "";
    if (/^(data:image\/|https?:|\/media\/)/.test(address)) continue;
    lost.add(t("pictures"));
    e.remove();
  }
  return { body, lost };
}

// wordLists makes lists of the paragraphs that Word writes for their points.
function wordLists(body) {
  const lists = []; // the open ones, by level
  for (const p of body.querySelectorAll("p, h1, h2, h3, h4, h5, h6")) {
    const [, level] = (p.dataset.style ?? "").match(/mso-list:\s*l\d+\s+level(\d+)/i) ?? [];
    const sign = [...p.querySelectorAll("span")].find((e) => /mso-list:\s*ignore/i.test(e.dataset.style ?? ""));
    if (!level || p.localName !== "p") { // a heading keeps its number
      sign?.replaceWith(`${sign.textContent.trim()} `);
      lists.length = 0;
      continue;
    }
    const ordered = /^\s*\(?([0-9]+|[a-z]{1,4})[.)]/i.test(sign?.textContent ?? p.textContent);
    const li = make("li");
    sign?.remove();
    li.append(...p.childNodes);
    if (!sign && li.firstChild?.nodeType === 3) li.firstChild.data = li.firstChild.data.replace(/^\s*([·•o§▪-]|\(?\w{1,4}[.)])[\s\u00a0]+/, "");
    const tag = ordered ? "ol" : "ul";
    lists.length = Math.min(lists.length, Number(level));
    if (lists.length === Number(level) && lists.at(-1).localName !== tag) lists.pop();
    if (lists.length > 0 && lists[0].parentElement === null) lists.length = 0;
    while (lists.length < Number(level)) {
      const list = make(tag);
      const [, start] = (ordered && sign?.textContent.match(/(\d+)[.)]*\s*$/)) || [];
      if (start) list.setAttribute("start", start);
      const outer = lists.at(-1);
      if (outer) (outer.lastElementChild ?? outer.appendChild(make("li"))).append(list);
      else p.before(list);
      lists.push(list);
    }
    lists.at(-1).append(li);
    p.remove();
  }
}

// withHead makes the first row of a table its head, each cell a line, and of a cell that covers others one beside empty ones.
function withHead(table, lost) {
  for (const cell of table.querySelectorAll("td, th")) {
    if (cell.querySelector("ul, ol, table")) lost.add(t("lists and tables in cells"));
    cell.querySelectorAll("br").forEach((e) => e.replaceWith(" "));
    cell.querySelectorAll("table, caption, tbody, thead, tfoot, tr, td, th, ul, ol, li, p, div, pre, blockquote, hr, h1, h2, h3, h4, h5, h6").forEach((e) => e.replaceWith(" ", ...e.childNodes, " "));
  }
  if (table.caption) table.before(make("p", {}, ...table.caption.childNodes));
  table.querySelectorAll("caption, colgroup").forEach((e) => e.remove()); // they would keep the first row from being the head
  const rows = [...table.rows];
  for (const cell of table.querySelectorAll("[colspan], [rowspan]")) {
    if (cell.colSpan > 1 || cell.rowSpan !== 1) lost.add(t("merged cells"));
    for (let more = cell.colSpan; more > 1; more--) cell.after(make(cell.localName, { rowSpan: cell.rowSpan }));
    cell.removeAttribute("colspan");
  }
  rows.forEach((row, y) => [...row.cells].forEach((cell, x) => {
    for (const below of rows.slice(y + 1, y + (cell.rowSpan || rows.length))) below.insertBefore(make("td"), below.cells[x] ?? null);
    cell.removeAttribute("rowspan");
  }));
  for (const cell of rows[0]?.querySelectorAll("td") ?? []) cell.replaceWith(make("th", {}, ...cell.childNodes));
}

// richText is pasted rich text as Markdown, with the names of the parts that it lost. store gives its pictures to the library.
export async function richText(html, store = async () => null) {
  const { TurndownService, gfm } = await load("turndown");
  const service = new TurndownService({ headingStyle: "atx", bulletListMarker: "-", codeBlockStyle: "fenced", emDelimiter: "*", hr: "---" });
  service.use(gfm);
  const { body, lost } = cleaned(html);
  for (const e of body.querySelectorAll("img")) {
    const address = e.getAttribute("src");
    if (address.startsWith("/media/") || address.startsWith(`${location.origin}/media/`)) continue;
    const file = await store(address, e.alt).catch(() => null);
    if (file) e.setAttribute("src", `cms://media/${file.id}`);
    else {
      lost.add(address.startsWith("data:") ? t("pictures") : t("pictures of other sites"));
      e.remove();
    }
  }
  for (const e of body.querySelectorAll("a:not(:has(img))")) if (!e.textContent.trim()) e.remove();
  const text = service.turndown(body).replace(/^(\s*(?:[-*+]|\d+\.)) {2,3}/gm, "$1 ").replace(/^(\s*- )\\\[( |x)\\\]/gm, "$1[$2]").replaceAll("\u00a0", " ").replace(/(\n\n {2})+(?=\n\n)/g, "");
  return { text, lost: [...lost] };
}

// stored puts a picture of a paste into the library. The service reads those of other sites, which the page may not.
export async function stored(address, alt) {
  if (!address.startsWith("data:")) {
    return (await resultOf(await sendJSON("POST", "/admin/media/fetch", { url: address, alt }))).data;
  }
  const uploads = await load("upload");
  const [, mime, data] = address.match(/^data:(image\/[\w.+-]+);base64,(.*)$/s);
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const { direct, max } = theForm().dataset;
  const form = make("form", { action: "/admin/media" }, make("input", { name: "_csrf", value: theForm().elements._csrf.value }), make("input", { name: "alt", value: alt ?? "" }));
  return uploads.upload(new File([bytes], `pasted.${mime.slice(6).replace("jpeg", "jpg").replace("svg+xml", "svg")}`, { type: mime }), form, { direct, max }, () => {});
}
