// Rows of a list are selected together, and opened by keys.
"use strict";

// A box in the head of a table selects all its rows; with shift, a box selects those up to it.
{
  const boxes = () => [...document.querySelectorAll('input[name=ids][form=bulk]')];
  const all = document.querySelector("input[data-all]");
  const says = document.querySelector("[data-selected]");
  let last;
  const count = () => {
    const n = boxes().filter((box) => box.checked).length;
    says.textContent = says.dataset.selected === "files" ? tn(n, "{1} file selected:", "{1} files selected:") : tn(n, "{1} row selected:", "{1} rows selected:");
    says.closest("form").hidden = n === 0;
    announce(n ? says.textContent : "");
    all.checked = n > 0 && n === boxes().length;
    all.indeterminate = n > 0 && !all.checked;
  };
  if (all && says) {
    const bar = says.closest("form");
    bar.classList.add("floating");
    bar.parentElement.prepend(bar); // by keys it comes before the rows, which may be many
    (all.closest("label") ?? all).hidden = false;
    // The selection stays on the page while somebody signs in again.
    let checked = false;
    bar.addEventListener("submit", async (event) => {
      if (checked || event.defaultPrevented) return;
      event.preventDefault();
      if ((await checkSession())?.status === 401) return;
      checked = true;
      bar.requestSubmit(event.submitter);
    });
    all.onchange = () => {
      for (const box of boxes()) box.checked = all.checked;
      count();
    };
    document.addEventListener("click", ({ target, shiftKey }) => {
      if (!target.matches?.("input[name=ids]")) return;
      const list = boxes();
      const [from, to] = [list.indexOf(last), list.indexOf(target)].sort((a, b) => a - b);
      if (shiftKey && from >= 0) for (const box of list.slice(from, to)) box.checked = target.checked;
      last = target;
      count();
    });
    addEventListener("pageshow", count); // a browser restores boxes on the way back
  }
}

// The head of a table stays in view where the table needs no scrolling sideways.
for (const box of document.querySelectorAll(".scroll")) {
  const table = box.firstElementChild;
  const sizes = new ResizeObserver(() => box.classList.toggle("wide", !box.classList.toggle("fits", table.offsetWidth <= box.clientWidth)));
  sizes.observe(box);
  sizes.observe(table);
}

// In a list with a pane, j and k open the next row and the one before, x selects the open one.
document.addEventListener("keydown", (event) => {
  const rows = [...document.querySelectorAll("a.row")];
  if (!document.querySelector("#bulk, .panes") || event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!rows.some((row) => row.search.includes("open="))) return;
  const at = rows.findIndex((row) => row.getAttribute("aria-current"));
  const by = { j: 1, k: -1 }[event.key];
  if (by) rows[at < 0 ? 0 : at + by]?.click();
  if (event.key === "x") rows[at]?.closest("tr").querySelector("input[name=ids]")?.click();
});

// A row is edited in its place: by its link, the key e, or a double click on a cell. What that needs comes with the first of them.
{
  const links = "td.buttons > a[href*='edit=']";
  const edit = async (event, row, label) => {
    const link = row?.querySelector(links);
    if (!link) return;
    event.preventDefault();
    const quick = await load("quick");
    if (quick) quick.edit(link, label);
    else location.assign(link.href);
  };
  const plainly = (event) => !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
  document.addEventListener("click", (event) => {
    const link = plainly(event) && event.target.closest(links);
    if (link) edit(event, link.closest("tr"));
  });
  document.addEventListener("dblclick", (event) => {
    const cell = event.target.closest("td");
    if (cell && !event.target.closest("a, button, input, .editing")) edit(event, cell.parentElement, cell.dataset.label);
  });
  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("tr.editing");
    if (event.key === "Escape" && form) form.querySelector(".submit a").click();
    if (event.key === "e" && plainly(event) && !event.target.closest("textarea, select, dialog, input:not([type=checkbox]), .editing")) edit(event, event.target.closest("tr"));
  });
}

// A long CSV file comes in parts. They are put together, with the first row of the first one only.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href*='.csv']");
  if (!link?.pathname.endsWith(".csv") || event.ctrlKey || event.metaKey || event.shiftKey || link.ariaBusy) return;
  event.preventDefault();
  link.ariaBusy = "true";
  const parts = [];
  let name, next = link.href;
  while (next) {
    const answer = await fetch(next).catch(() => null);
    if (!answer?.headers.get("Content-Type")?.startsWith("text/csv")) break;
    name ??= answer.headers.get("Content-Disposition").split('"')[1];
    parts.push(parts.length ? (await answer.text()).replace(/^.*\r\n/, "") : await answer.blob());
    next = answer.headers.get("Link")?.match(/<(.*)>/)[1];
  }
  link.ariaBusy = null;
  if (!parts.length) location.assign(link.href); // which says why
  else if (next) tell(t("The connection broke."));
  else make("a", { href: URL.createObjectURL(new Blob(parts)), download: name }).click();
});

// A filter that is chosen acts at once. By keys one passes other choices, so the button comes for them; so it does for what is typed.
for (const form of document.querySelectorAll("form.filters")) {
  const button = form.querySelector(":scope > button:not(.hidden)");
  let byKey = false;
  button.hidden = true;
  form.addEventListener("input", ({ target }) => { if (target.matches("[type=text], [type=email], [type=number]")) button.hidden = false; });
  form.addEventListener("keydown", () => { byKey = true; });
  form.addEventListener("pointerdown", () => { byKey = false; });
  form.addEventListener("change", ({ target }) => {
    if (target.matches(".pick")) form.requestSubmit(); // by the dialog of related entries
    else if (byKey) button.hidden = false;
    else if (target.matches("select, [type=date]")) form.requestSubmit();
  });
}
