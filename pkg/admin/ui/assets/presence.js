// Who else has this entry open: the page says so while it is visible, and hears of the others and of changed comments. A page that cannot change the
// entry asks without saying so, and hears of the review too.
"use strict";

const meet = () => {
  const every = 20_000;
  const shown = document.getElementById("presence");
  const window_ = [...crypto.getRandomValues(new Uint8Array(10))].map((n) => n.toString(16).padStart(2, "0")).join("");
  const reads = "reads" in shown.dataset;
  let field = "";
  let timer = null;

  // The field of an input: title, slug, seo.title or data and its name.
  const fieldOf = (input) => (input?.name?.startsWith("_") ? "" : (input?.name ?? "").split(".").slice(0, 2).join("."));
  const labelOf = (name) => {
    const input = name && document.getElementById(`f-${name}`);
    return (input?.labels?.[0] ?? input?.querySelector?.("legend"))?.firstChild?.data?.trim() ?? "";
  };

  // initials are the first letters of the first and the last word of a name, as on other pages.
  function initials(name) {
    const [first, ...rest] = name.match(/(?<!\S)\S/gu);
    return (first + (rest.at(-1) ?? "")).toUpperCase();
  }

  function say(others) {
    const me = shown.dataset.user;
    const people = new Map();
    for (const { user_id, name, field } of others) {
      const label = people.get(user_id)?.label || labelOf(field);
      const called = user_id === me ? t("You, in another window") : name;
      people.set(user_id, { name, label, text: label ? `${called} (${label})` : called });
    }
    const list = [...people.values()].sort((a, b) => a.name.localeCompare(b.name)); // avatars keep their places
    const now = list.length ? t("Also here: {1}", list.map((p) => p.text).join(", ")) : "";
    if (shown.firstChild?.textContent === now) return; // readers of the page hear what is new
    shown.replaceChildren(make("span", { className: "hidden", textContent: now }), ...list.map((p) => make("span", { className: "avatar", textContent: initials(p.name), title: p.text, ariaHidden: "true" })));
  }

  async function announce() {
    clearTimeout(timer);
    timer = setTimeout(announce, every);
    if (document.hidden) return;
    const { presence } = shown.dataset;
    const { data, meta } = await resultOf(await (reads ? askJSON(presence, undefined, true) : sendJSON("PUT", presence, { window: window_, field }, { quiet: true })));
    if (data) say(data);
    if (meta) document.dispatchEvent(new CustomEvent("entry-news", { detail: meta }));
  }

  function leave() {
    clearTimeout(timer);
    if (!reads) sendJSON("DELETE", `${shown.dataset.presence}?window=${window_}`, undefined, { keepalive: true, quiet: true });
  }

  document.addEventListener("focusin", ({ target }) => {
    const area = target.closest(".markdown-editor")?.previousElementSibling;
    if (target.form?.id === "entry" || area) field = fieldOf(area ?? target);
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : announce()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && announce());
  announce();
};
if (document.getElementById("presence")) meet();
else document.addEventListener("entry-begun", meet, { once: true });
