// Comments beside the form of an entry. A selected passage is commented by a button at its field or by Ctrl+Alt+M, and each comment leads to its passage.
// The panel is the page of the comments; its forms are sent without leaving the entry. A new entry has comments from its first save on.
"use strict";

const talk = () => {
  const address = document.getElementById("presence").dataset.presence.replace(/presence$/, "comments");
  const narrow = matchMedia("(max-width: 56rem)");
  const said = make("p", { className: "error", role: "alert" });
  const total = make("span", { className: "count", hidden: true });
  const toggle = make("button", { type: "button", className: "quiet", ariaExpanded: "false", onclick: () => (panel.hidden ? open().then(() => panel.focus({ preventScroll: true })) : close()) }, t("Comments"), " ", total);
  const panel = make("div", { id: "talk-panel", className: "talk-panel", hidden: true, tabIndex: -1 },
    make("button", { type: "button", className: "quiet shut", textContent: t("Close"), ariaLabel: t("Close the comments"), onclick: close }), said);
  const here = make("button", { type: "button", className: "quiet", textContent: t("Comment"), title: t("Comment (Ctrl+Alt+M)"), onclick: () => comment(chosen() ?? here.about) });
  here.setAttribute("aria-keyshortcuts", "Control+Alt+M");
  toggle.setAttribute("aria-controls", panel.id);
  const menu = narrow.matches && document.querySelector(".entry-bar .more"); // phones have no room for it beside the state
  if (menu) {
    toggle.className = "";
    menu.lastElementChild.prepend(toggle);
  } else {
    toggle.dataset.pane = "comments";
    document.querySelector(".views .tabs li").after(make("li", {}, toggle));
    setTabs();
  }
  (document.querySelector(".desk") ?? document.querySelector("main")).append(panel);

  const section = () => panel.querySelector("#comments");
  const threads = () => [...panel.querySelectorAll(".thread")];

  // squeezed is the text of a field without marks of Markdown and with single spaces, so that a quote is found in it whatever stands between its words.
  // places are where its characters are in the text.
  const tokens = /((?:(?:^|\n)[ \t>]*(?:[-+*]|\d+[.)])[ \t]|[\s>#])+)|\]\([^)\s]*\)|[*_\x60~[\]]/g;
  const known = new WeakMap();
  function squeeze(text) {
    let plain = "", from = 0;
    const places = [];
    const add = (piece, start) => {
      for (let i = 0; i < piece.length; i++) {
        if (piece[i] === " " && (!plain || plain.endsWith(" "))) continue;
        plain += piece[i];
        places.push(start + i);
      }
    };
    for (const token of text.matchAll(tokens)) {
      add(text.slice(from, token.index), from);
      if (token[1]) add(" ", token.index);
      from = token.index + token[0].length;
    }
    add(text.slice(from), from);
    return { text, plain, places };
  }
  function squeezed(field) {
    if (known.get(field)?.text !== field.value) known.set(field, squeeze(field.value));
    return known.get(field);
  }

  // find is where the passage of a thread is now, null if no field has it. Blocks move, so all fields of the same list are searched.
  function find(thread) {
    const quote = squeeze(thread.querySelector("blockquote")?.textContent ?? "").plain.trim();
    const path = thread.dataset.field;
    const list = path.split(".").slice(0, 2).join(".");
    const fields = quote ? [...theForm().elements].filter((e) => e.matches("textarea[name], input[name][type=text], input[name][type=url]") && !e.name.startsWith("_") && (!path || e.name === list || e.name.startsWith(`${list}.`))) : [];
    for (const field of fields.sort((a, b) => (b.name === path) - (a.name === path))) {
      const { plain, places } = squeezed(field);
      const at = plain.indexOf(quote);
      if (at >= 0) return { field, from: places[at], to: places[at + quote.length - 1] + 1 };
    }
    return null;
  }

  // fieldAt is the field at a path, or the list that it was in; null if it is gone.
  function fieldAt(path) {
    for (let name = path; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
      const field = document.getElementById(`f-${name}`);
      if (field) return field;
    }
    return null;
  }

  // show scrolls to the field of a thread and selects its passage.
  function show(thread) {
    const passage = find(thread);
    const field = passage?.field ?? fieldAt(thread.dataset.field);
    if (!field) return;
    if (narrow.matches) hide();
    if (typeof showTabOf === "function") showTabOf(field);
    reveal(field);
    if (passage) field.setSelectionRange(passage.from, passage.to);
    field.focus(); // scrolls to the selection
  }

  // corner is the place for buttons above a field.
  function corner(field) {
    const box = field.closest(".field, fieldset");
    const made = box.querySelector(":scope > .talk") ?? make("div", { className: "talk" });
    if (!made.isConnected) box.append(made);
    return made;
  }

  // draw shows how many open threads each field has, and which passages are gone.
  function draw() {
    for (const e of document.querySelectorAll("#entry .talk")) e.remove();
    const open = new Map();
    let n = 0;
    for (const thread of threads()) {
      const passage = find(thread);
      const quote = thread.querySelector("blockquote");
      thread.querySelector(".lost")?.remove();
      if (quote && !passage) quote.after(make("p", { className: "lost" }, make("span", { className: "badge warn", textContent: t("no longer in the text") })));
      if (thread.classList.contains("resolved")) continue;
      n++;
      const field = passage?.field ?? fieldAt(thread.dataset.field);
      if (field) open.set(field, [...(open.get(field) ?? []), thread]);
    }
    total.textContent = n;
    total.hidden = n === 0;
    for (const [field, list] of open) {
      const text = tn(list.length, "{1} comment", "{1} comments");
      corner(field).append(make("button", { type: "button", className: "quiet", textContent: text, onclick: () => lead(list[0].id) }));
    }
    offer();
  }

  // chosen is the field that has the focus, with the passage that is selected in it; null outside of fields.
  function chosen() {
    const active = document.activeElement;
    const field = active.closest(".markdown-editor")?.previousElementSibling ?? active;
    if (!theForm() || field.form !== theForm() || !field.name || field.name.startsWith("_")) return null;
    const quote = field.selected?.() ?? (field.selectionEnd ? field.value.slice(field.selectionStart, field.selectionEnd) : "");
    return { field, quote: quote.trim() };
  }

  // offer shows the button at the field in which a passage is selected.
  function offer() {
    if (document.activeElement === here) return;
    const about = chosen();
    here.about = about;
    if (about?.quote) corner(about.field).prepend(here);
    else here.remove();
  }

  // comment opens the form for a comment on a field and its passage, or on the whole entry.
  async function comment(about) {
    await open();
    const form = section()?.querySelector("form.form");
    if (!form) return;
    const { field, quote, text } = form.elements;
    const path = about?.field.name ?? "";
    if (![...field.options].some((option) => option.value === path)) field.add(new Option(about.field.labels?.[0]?.firstChild?.data?.trim() || path, path));
    field.value = path;
    quote.value = [...(about?.quote ?? "")].slice(0, Number(quote.maxLength)).join("");
    text.focus();
  }

  async function open() {
    if (menu) menu.open = false;
    pane("comments");
    if (!section()) await refresh();
  }
  const hide = () => pane("");
  function close() {
    hide();
    (menu ? menu.firstElementChild : toggle).focus();
  }
  async function lead(id) {
    await open();
    document.getElementById(id)?.scrollIntoView({ block: "nearest" });
    document.getElementById(id)?.focus({ preventScroll: true });
  }

  // refresh fetches the comments. What is typed stays.
  async function refresh(quiet) {
    const next = (await pageAt(address, undefined, quiet))?.getElementById("comments");
    said.textContent = next ? "" : t("The comments cannot be read now.");
    if (!next) return;
    if (section()) {
      renew(section().querySelector(".threads"), next.querySelector(".threads"));
      section().dataset.stamp = next.dataset.stamp;
    } else {
      panel.append(document.adoptNode(next));
      const form = next.querySelector("form.form");
      stored(form, stateOf(form));
    }
    draw();
  }

  panel.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { target: form, submitter } = event;
    const body = bodyOf(form, submitter), focused = document.activeElement;
    if (form.inert) return;
    form.inert = true; // text typed meanwhile would be lost
    const answer = await askJSON(form.action, body);
    form.inert = false;
    focused.focus();
    if (answer?.status === 401) return;
    const { data, error } = answer?.status === 204 ? {} : await resultOf(answer);
    said.textContent = error ? t("Not saved: {1}", error.message) : "";
    if (error) return said.scrollIntoView({ block: "nearest" });
    form.reset();
    await refresh();
    lead(data ? `c-${data.id}` : panel.id);
  });
  panel.addEventListener("click", (event) => {
    const link = event.target.closest(".thread a[href*='/edit']");
    if (!link) return;
    event.preventDefault();
    show(link.closest(".thread"));
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel.contains(event.target) && !event.defaultPrevented) close();
    if (!(event.ctrlKey || event.metaKey) || !event.altKey || event.code !== "KeyM") return;
    event.preventDefault();
    comment(chosen());
  });
  document.addEventListener("pane", () => {
    panel.hidden = document.body.dataset.pane !== "comments";
    toggle.ariaExpanded = String(!panel.hidden);
  });
  document.addEventListener("selectionchange", offer);
  document.addEventListener("form-swapped", draw);
  document.addEventListener("entry-saved", draw);
  document.addEventListener("entry-news", async ({ detail: { comments: stamp } }) => {
    const was = Number(section()?.dataset.stamp ?? 0);
    if (stamp <= was) return;
    await refresh(true);
    if (was) announce(t("The comments have changed."));
    else if (location.hash.startsWith("#c-")) lead(location.hash.slice(1));
  });
};
if (document.getElementById("presence")) talk();
else document.addEventListener("entry-begun", talk, { once: true });
