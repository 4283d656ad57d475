// Handles by which rows are dragged, and moved by the arrow keys.
"use strict";

// sortable lets the rows of a list be dragged; the library comes with the first pointer on a handle.
const touched = matchMedia("(any-pointer: coarse)");
const sorted = new WeakSet();
async function sortable(list, options) {
  if (sorted.has(list)) return;
  sorted.add(list);
  const library = await load("sortable");
  if (!library) return sorted.delete(list);
  library.default.create(list, { handle: ".drag", animation: 120, forceFallback: true, fallbackTolerance: 3, ...options });
}

// dragHandle is the handle of a row of a list, or of lists between which rows are dragged. press gets the arrow keys.
const dragHandle = (title, list, options, press) => {
  const handle = make("button", { type: "button", className: "drag", textContent: "⠿", ariaLabel: t("Move {1}: drag, or press the arrow keys", title), title: t("Drag, or press the arrow keys") });
  handle.onpointerenter = handle.onfocus = () => [list].flat().forEach((each) => sortable(each, options));
  if (touched.matches) handle.onfocus(); // a finger drags at once, with no pointer before it
  handle.onkeydown = (event) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    press(event.key);
  };
  return handle;
};
