// What every page does better with a script: times in the reader's zone, menus that close, values that are copied.
"use strict";

{
  const brief = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  const format = (more) => new Intl.DateTimeFormat(language, { ...brief, ...more });
  const [thisYear, anyYear, zoned] = [{}, { year: "numeric" }, { year: "numeric", timeZoneName: "short" }].map(format);
  const year = new Date().getFullYear();

  // showTimes writes the timestamps below an element in the reader's zone, and says which zone that is. In tables, where
  // there are many, only the title has the zone.
  const showTimes = (root) => {
    for (const time of root.querySelectorAll?.("time[datetime]:not(.calendar time)") || []) {
      const at = new Date(time.dateTime);
      if (time.dateTime.length <= 10 || isNaN(at) || time.dataset.zoned) continue;
      time.dataset.zoned = "true";
      time.title = at.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
      time.textContent = (!time.closest("td") ? zoned : at.getFullYear() === year ? thisYear : anyYear).format(at);
    }
  };

  showTimes(document);
  new MutationObserver((changes) => {
    for (const change of changes) change.addedNodes.forEach(showTimes);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}

// Escape closes the menu or question around the focus, else the last open one, and the focus returns to the button that opened it. Dialogs close by
// themselves. A menu closes too when the focus or a press goes elsewhere.
{
  const shut = (event, open) => {
    if (!open) return;
    event.preventDefault();
    open.open = false;
    open.firstElementChild.focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") shut(event, event.target.closest?.("details.confirm[open]"));
  }, true);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    shut(event, [...document.querySelectorAll("details.confirm[open]")].at(-1));
    const close = document.querySelector("#menu:target > .menu-close");
    if (!event.defaultPrevented && close?.checkVisibility()) close.click();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.matches(".menu-close")) return;
    event.preventDefault();
    location.replace("#main"); // Back does not open the menu again
    document.querySelector(".menu-link").focus();
  });
}
for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, ({ target }) => {
  for (const open of document.querySelectorAll("[open]:has(> .menu)")) if (!open.contains(target)) open.open = false;
});

// A long menu and a row of tabs show where one is.
{
  const menu = document.getElementById("menu");
  const here = menu?.querySelector("[aria-current]");
  if (here && here.offsetTop + here.offsetHeight > menu.clientHeight) menu.scrollTop = here.offsetTop - menu.clientHeight / 2;
  document.querySelector(".entry-bar .tabs [aria-current]")?.scrollIntoView({ block: "nearest" });
}

if (document.querySelector("main[data-poll]")) load("poll");

// Buttons that copy.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.onclick = async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = t("Copied");
  };
}
