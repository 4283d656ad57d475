// The versions of an entry stand in a pane beside its texts. Each leads to the page of what it changed.
"use strict";

const panel = make("nav", { id: "history-panel", className: "talk-panel", ariaLabel: t("Versions") });
document.querySelector(".desk").append(panel);

async function show() {
  panel.hidden = document.body.dataset.pane !== "history";
  if (panel.hidden) return;
  const tab = document.querySelector(".views [data-pane=history]");
  tab.setAttribute("aria-controls", panel.id);
  const list = (await pageAt(tab.href))?.querySelector(".history > nav");
  if (!list) {
    panel.replaceChildren(make("p", { className: "error", textContent: unconnected }));
    return;
  }
  for (const link of list.querySelectorAll("a")) link.href = new URL(link.getAttribute("href"), tab.href);
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  localise(list);
  panel.replaceChildren(...list.childNodes);
}

document.addEventListener("pane", show);
document.addEventListener("entry-saved", show);
// The preview takes the place of the panes.
const leave = () => document.body.dataset.pane === "history" && (!room.matches || document.querySelector(".split.open")) && pane("");
room.addEventListener("change", leave);
for (const split of document.querySelectorAll(".split")) new MutationObserver(leave).observe(split, { attributeFilter: ["class"] });
show();
