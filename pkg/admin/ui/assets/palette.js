// The dialog of Ctrl+K, which jumps to pages, entries and actions.

const words = (link) => [...link.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join(" ").trim();

// sheet is the icon of what is not in the menu.
const sheet = new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg" class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h8l4 4v14H6zM14 3v4h4"/></svg>', "image/svg+xml").documentElement;

// pages are those of the menu, and the making of an entry for each model.
const pages = () => {
  const links = [...document.querySelectorAll("#menu li a")];
  const places = links.map((a) => ({ text: words(a), href: a.href, note: t("Page"), icon: a.querySelector("svg") }));
  const actions = links.filter((a) => a.dataset.new).map((a) => ({ text: t("New entry: {1}", words(a)), href: a.dataset.new, note: t("Action"), icon: a.querySelector("svg") }));
  return [...places, ...actions];
};

// controls are the buttons of this page as a whole, those behind ⋯ too. Only drawn buttons are offered, so the list follows the rights.
const controls = () => {
  const icon = document.querySelector("#menu [aria-current] svg");
  return [...document.querySelectorAll("main .head .actions, main .entry-bar .actions")]
    .flatMap((bar) => [...bar.querySelectorAll("a.button, button, summary")])
    .filter((e) => !e.disabled && !e.matches(".more > summary") && !e.closest(".pop:not(.menu)") && getComputedStyle(e).display !== "none")
    .map((control) => ({ text: control.textContent.trim(), control, note: t("This page"), icon }));
};

// use presses a control, in its open menu. One that asks first is opened, with the focus on the answer.
function use(control) {
  for (let menu = control.closest("details"); menu; menu = menu.parentElement.closest("details")) menu.open = true;
  control.focus();
  if (control.matches("summary")) control.parentElement.querySelector(".pop input:not([type=hidden]), .pop button")?.focus();
  else control.click();
}

// rank says how well a page meets what was typed: 0 is that very name, 1 begins with it, 2 has all its words, 3 has not.
const rank = ({ text }, q) => {
  const name = text.toLowerCase();
  if (!q.split(/\s+/).every((w) => name.includes(w))) return 3;
  return name === q ? 0 : name.startsWith(q) ? 1 : 2;
};

// recent are the pages that were seen last, without this one; see app.js.
const recent = () => {
  const links = [...document.querySelectorAll("#menu li a")].sort((a, b) => b.href.length - a.href.length);
  const home = links.at(-1); // its address begins those of all pages
  const icon = (href) => links.find((a) => href === a.href || (a !== home && href.startsWith(a.href)))?.querySelector("svg");
  return seenPages().filter(({ href }) => href !== thisPage()).map((p) => ({ ...p, note: t("Recent"), icon: icon(p.href) }));
};

// first are the pages of a list for which nothing was typed yet.
const first = () => {
  const seen = recent();
  return [...seen, ...controls(), ...pages().filter((p) => !seen.some(({ href }) => href === p.href))];
};

export function open() {
  const input = make("input", { type: "text", role: "combobox", ariaLabel: t("Search or jump to"), ariaExpanded: "true", autocomplete: "off" });
  const list = make("ul", { id: "palette-list", role: "listbox", ariaLabel: t("Matches") });
  const says = make("p", { role: "status" });
  const dialog = make("dialog", { className: "palette", ariaLabel: t("Search or jump to") }, input, list, says);
  input.setAttribute("aria-controls", list.id);
  const back = document.activeElement;
  let chosen = 0, found = [], asked = 0, typing, pressed;

  const mark = (i) => {
    chosen = Math.max(0, Math.min(i, list.children.length - 1));
    [...list.children].forEach((li, n) => (li.ariaSelected = String(n === chosen)));
    const li = list.children[chosen];
    li?.scrollIntoView({ block: "nearest" });
    if (li) input.setAttribute("aria-activedescendant", li.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const show = (at) => {
    const q = input.value.trim().toLowerCase();
    const places = q ? [...controls(), ...pages()].filter((p) => rank(p, q) < 3).sort((a, b) => rank(a, q) - rank(b, q)).slice(0, 8) : first().slice(0, 40);
    list.replaceChildren(...[...places, ...found].map(({ text, href, note, icon, control }, i) => {
      const li = make("li", { id: `palette-${i}`, role: "option" }, (icon ?? sheet).cloneNode(true), make("span", { textContent: text }), make("small", { className: "muted", textContent: note }));
      li.onclick = () => {
        if (!control) return (location.href = href);
        pressed = control;
        dialog.close();
      };
      return li;
    }));
    const n = list.children.length;
    says.textContent = n === 0 ? t("Nothing found.") : tn(n, "{1} match. Enter opens it.", "{1} matches. Arrow keys choose, Enter opens.");
    mark(at);
  };
  const search = async () => {
    const mine = asked;
    const q = input.value.trim();
    if (q.length < 2) return;
    const { data } = await resultOf(await askJSON(`/admin/search?per_page=10&q=${encodeURIComponent(q)}`));
    if (mine !== asked) return;
    const at = ({ model, id }) => `/admin/models/${encodeURIComponent(model)}/entries/${encodeURIComponent(id)}`;
    const languages = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });
    found = (data ?? []).map((e) => {
      const link = document.querySelector(`#menu a[href$="/models/${CSS.escape(e.model)}/entries"]`);
      return { text: e.title, href: at(e), note: [link && words(link), languages.of(e.locale)].filter(Boolean).join(t(", ")), icon: link?.querySelector("svg") };
    });
    show(chosen);
  };
  // Pages are there with each key, so that Enter opens what matches; entries come a moment later.
  input.oninput = () => {
    asked++;
    found = [];
    show(0);
    clearTimeout(typing);
    typing = setTimeout(search, 150);
  };
  input.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      mark(chosen + by);
    } else if (event.key === "Enter" && list.children[chosen]) {
      event.preventDefault();
      list.children[chosen].click();
    }
  };
  dialog.onclose = () => {
    dialog.remove();
    if (pressed) use(pressed);
    else back?.focus();
  };
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
  show(0);
}
