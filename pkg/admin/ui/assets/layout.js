// Fields in tabs, and fields that are shown while another one has some values. All stay in the form, so that they keep their values.
"use strict";

let showTabOf = () => {}; // selects the tab of a field

{
  const first = t("Content");
  let here = first;

  const placed = () => [...document.querySelectorAll("#entry .placed")];
  const cards = () => [...document.querySelectorAll("#entry .sheet > .card")];
  const tabOf = (e) => e.dataset.tab || first;

  // meet shows the fields whose conditions hold.
  function meet() {
    const data = new FormData(document.getElementById("entry"));
    for (const e of placed()) {
      if (!e.dataset.shownIf) continue;
      const values = data.getAll(e.dataset.shownIf).filter(Boolean);
      const box = document.querySelector(`#entry input[type=checkbox][name="${CSS.escape(e.dataset.shownIf)}"][value=true]`);
      const now = box ? [String(box.checked)] : values;
      const wanted = (e.dataset.shownFor || "").split("\n").filter(Boolean);
      const met = wanted.length > 0 ? now.some((v) => wanted.includes(v)) : now.some((v) => v !== "false");
      e.classList.toggle("unmet", !met);
    }
  }

  function select(name) {
    here = name;
    for (const card of cards()) {
      for (const e of card.children) if (!e.matches(".pair.head")) e.classList.toggle("elsewhere", (e.classList.contains("placed") ? tabOf(e) : first) !== here);
      card.classList.toggle("elsewhere", ![...card.children].some((e) => !e.matches(".elsewhere, .unmet, .pair.head")));
    }
    for (const tab of document.querySelectorAll(".form-tabs [role=tab]")) {
      tab.ariaSelected = String(tab.dataset.name === here);
      tab.tabIndex = tab.dataset.name === here ? 0 : -1;
    }
  }

  // build puts the tabs above the form. The arrow keys move between them.
  function build() {
    meet();
    const names = [...new Set([first, ...placed().map(tabOf)])];
    document.querySelector(".form-tabs")?.remove();
    if (names.length < 2) return select(first);
    const sheet = document.querySelector("#entry .sheet");
    const list = make("div", { className: "form-tabs", role: "tablist", ariaLabel: t("Parts of the entry") }, ...names.map((name) => {
      const wrong = [...sheet.querySelectorAll(".wrong")].filter((e) => tabOf(e.closest(".placed") ?? sheet) === name && !e.parentElement.closest(".wrong")).length;
      const tab = make("button", { type: "button", textContent: name, onclick: () => select(name) });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "sheet");
      tab.dataset.name = name;
      if (wrong) tab.append(make("span", { className: "badge bad", textContent: tn(wrong, "{1} mistake", "{1} mistakes") }));
      return tab;
    }));
    list.setAttribute("role", "tablist");
    list.onkeydown = (event) => {
      const by = { [onward]: 1, [backward]: -1 }[event.key];
      if (!by) return;
      const next = names[(names.indexOf(here) + by + names.length) % names.length];
      select(next);
      list.querySelector("[aria-selected=true]").focus();
    };
    sheet.id = "sheet";
    sheet.before(list);
    select(names.includes(here) ? here : first);
  }

  showTabOf = (field) => {
    if (field.closest("#entry")) select(tabOf(field.closest(".placed") ?? field.closest("#entry")));
  };
  // A link of the summary leads to a field that may stand in another tab.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.("#problems a[href^='#']");
    const field = link && document.getElementById(link.hash.slice(1));
    if (field) showTabOf(field);
  }, true);
  for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => {
    if (target.form?.id !== "entry") return;
    meet();
    select(here);
  });
  document.addEventListener("form-swapped", build);
  if (document.getElementById("entry")) build();
}
