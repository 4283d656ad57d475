// The page of a tree: entries are dragged by a handle. The arrow keys move them too: up and down among those beside them, left and right out of their
// parent and into the entry before. Below another entry, addresses change, so the page asks first. Without this script each entry has the form Move.
"use strict";

{
  const card = document.querySelector("main section.card");
  const says = make("p", { className: "help", role: "status", textContent: t("Drag an entry by its handle, or move it by the arrow keys.") });
  const step = 32; // pixels to the side that a level takes
  let work = Promise.resolve(); // moves wait for one another
  let dropped; // a promise while a row is dragged: the rows are not replaced meanwhile
  let stored = [...card.querySelector("tbody").childNodes]; // rows as the service has them

  const rows = () => [...card.querySelectorAll("tr[data-level]:not([hidden])")];
  const rowOf = (id) => rows().find((row) => row.dataset.id === id);
  const levelOf = (row) => Number(row?.dataset.level ?? 0);
  const titleOf = (row) => row.querySelector("a.row").textContent.replace(/^[— ]+/, "");
  const below = (parent) => rows().filter((row) => row.dataset.parent === parent);
  const where = (parent) => (rowOf(parent) ? t("below {1}", titleOf(rowOf(parent))) : t("at the top"));

  // placeOf writes a place as the form Move does. index counts without the entry that moves.
  const placeOf = (id, parent, index) => {
    const beside = below(parent).filter((row) => row.dataset.id !== id);
    if (!beside.length) return `below ${parent} `;
    return index ? `after ${parent} ${beside[index - 1].dataset.id}` : `before ${parent} ${beside[0].dataset.id}`;
  };

  // agreed shows the text of the form Move, which names the addresses that change, and asks, also about translations. It returns false, or the
  // values of the form.
  async function agreed(row, parent) {
    const form = await pageAt(row.querySelector("td.buttons a").href);
    const notice = form?.querySelector("main .notice p");
    if (!notice) return false;
    const too = form.querySelector("[type=checkbox][name=translations]")?.closest(".field") ?? "";
    const title = make("h2", { id: "move-title", textContent: t("Move {1} {2}?", titleOf(row), where(parent)) });
    const text = make("p", { id: "move-text", textContent: notice.textContent });
    const answer = (name, properties) => make("button", { type: "button", textContent: name, onclick: () => box.close(name), ...properties });
    const box = make("dialog", { className: "question" }, title, text, too, make("div", { className: "submit" }, answer(t("Move"), { className: "primary", autofocus: true }), " ", answer(t("Cancel"))));
    box.setAttribute("aria-labelledby", title.id);
    box.setAttribute("aria-describedby", text.id);
    document.body.append(box);
    box.showModal();
    return new Promise((done) => {
      box.onclose = () => {
        box.remove();
        done(box.returnValue === t("Move") && { translations: Boolean(too && too.querySelector("[type=checkbox]").checked) });
      };
    });
  }

  async function send(id, to, { translations = false } = {}) {
    const body = new URLSearchParams({ _csrf: document.querySelector("[name=_csrf]").value, ids: id, to, translations, locale: new URL(location.href).searchParams.get("locale") ?? "" });
    const { data, error } = await resultOf(await askJSON(`${location.pathname}/move`, body));
    return error ? messageOf(error) : data.failed?.[0]?.message;
  }

  async function move(id, parent, to) {
    const row = rowOf(id);
    if (!row) return; // somebody deleted it meanwhile
    const title = titleOf(row);
    const stays = parent === row.dataset.parent;
    const values = stays ? {} : await agreed(row, parent);
    const problem = values ? await send(id, to, values) : t("It was not moved.");
    await renew(!problem);
    const beside = below(parent);
    says.textContent = problem ? `${title}: ${problem}` : t("{1} is number {2} of {3} {4}.", title, beside.indexOf(rowOf(id)) + 1, beside.length, where(parent));
    rowOf(id)?.querySelector(".drag")?.focus();
  }

  // renew shows the tree as it is stored now, after a move with the button that takes it back. Selected entries stay selected. If nothing moved
  // and the service cannot be reached, rows return to their stored places.
  async function renew(moved) {
    const address = new URL(location.href);
    if (moved) address.searchParams.set("ok", "saved");
    const page = await pageAt(address);
    await dropped;
    const next = page ? page.querySelector("main section.card tbody") : !moved && { childNodes: stored };
    if (!next) return location.reload();
    if (moved) {
      document.querySelector("main > .notice.good")?.remove();
      document.querySelector("main").prepend(page.querySelector("main > .notice.good") ?? "");
    }
    const selected = [...card.querySelectorAll("[name=ids]:checked")].map((box) => box.value);
    stored = [...next.childNodes];
    card.querySelector("tbody").replaceChildren(...stored);
    for (const row of card.querySelectorAll("tr[hidden]")) row.hidden = false;
    for (const box of card.querySelectorAll("[name=ids]")) box.checked = selected.includes(box.value);
    equip();
  }

  // placeBy returns the parent and the index to which an arrow key moves an entry, undefined for none.
  function placeBy(row, key) {
    const { parent } = row.dataset;
    const beside = below(parent);
    const at = beside.indexOf(row);
    const before = beside[at - 1]?.dataset.id;
    const above = rowOf(parent);
    if (key === "ArrowUp" && before) return [parent, at - 1];
    if (key === "ArrowDown" && at < beside.length - 1) return [parent, at + 1];
    if (key === onward && before) return [before, below(before).length];
    if (key === backward && above) return [above.dataset.parent, below(above.dataset.parent).indexOf(above) + 1];
  }

  const press = (id, key) => {
    work = work.then(() => {
      const row = rowOf(id);
      const place = row && placeBy(row, key);
      if (place) return move(id, place[0], placeOf(id, ...place));
      if (row) says.textContent = t("{1} cannot go further there.", titleOf(row));
    });
  };

  // An entry takes along the entries below it. The distance to the side chooses one of the possible levels.
  let from; // its former index, the position of the pointer, and what to call at the end
  const xOf = (event) => (event.changedTouches?.[0] ?? event).clientX;
  const dragging = {
    draggable: "tr[data-level]",
    onStart: ({ item, originalEvent }) => {
      from = { x: xOf(originalEvent), index: below(item.dataset.parent).indexOf(item) };
      dropped = new Promise((done) => (from.done = done));
      const all = rows();
      for (const row of all.slice(all.indexOf(item) + 1)) {
        if (levelOf(row) <= levelOf(item)) break;
        row.hidden = true;
      }
    },
    onEnd: ({ item, originalEvent }) => {
      const all = rows();
      const at = all.indexOf(item);
      const wanted = levelOf(item) + Math.round(((xOf(originalEvent) - from.x) * (onward === "ArrowLeft" ? -1 : 1)) / step);
      const level = Math.max(levelOf(all[at + 1]), 1, Math.min(wanted, levelOf(all[at - 1]) + 1));
      const { id } = item.dataset;
      const parent = level === 1 ? all.find((row) => levelOf(row) === 1).dataset.parent : all.slice(0, at).findLast((row) => levelOf(row) === level - 1).dataset.id;
      const index = all.slice(0, at).filter((row) => row.dataset.parent === parent).length;
      const stays = parent === item.dataset.parent && index === from.index;
      const to = placeOf(id, parent, index);
      work = work.then(() => (stays ? renew() : move(id, parent, to)));
      from.done();
    },
  };

  function equip() {
    for (const row of rows()) {
      if (!row.querySelector("td.buttons a") || row.querySelector(".drag")) continue;
      const { id } = row.dataset;
      row.querySelector("td.first").prepend(dragHandle(titleOf(row), row.parentElement, dragging, (key) => press(id, key)), " ");
    }
  }
  equip();
  if (card.querySelector(".drag")) card.before(says);
}
