// A row of a list is edited in its place: its form comes from the service, and so does the row once it is saved.

const rows = new WeakMap(); // the row that each form stands in for

const rowOf = (page, address) => page.querySelector(`a.row[href="${address}"]`)?.closest("tr");

// put shows another version of a row, with the same selection, and gives it the focus.
function put(old, next, field) {
  localise(next);
  const [was, box] = [old, next].map((row) => row.querySelector("input[name=ids]"));
  if (was && box) box.checked = was.checked;
  old.replaceWith(next);
  (field ?? next.querySelector("[aria-invalid]") ?? next.querySelector("a.row, #problems, [name=title]")).focus();
}

// edit opens the form of a row at the field with a label.
export async function edit(link, label) {
  const open = document.querySelector("tr.editing");
  const kept = open?.querySelector("form");
  if (open && (!rows.has(open) || !untouched(kept))) {
    kept.elements.title.focus();
    return;
  }
  if (open) put(open, rows.get(open));
  const row = link.closest("tr");
  link.ariaBusy = "true";
  const page = await pageOf(await askPage(link.href));
  link.ariaBusy = null;
  const next = page?.querySelector("tr.editing");
  if (!next) location.assign(link.href);
  if (!next || !row.isConnected || document.querySelector("tr.editing")) return;
  const form = next.querySelector("form");
  const place = label && [...form.querySelectorAll("label, legend")].find((e) => e.textContent.trim().startsWith(label));
  tell();
  rows.set(next, row);
  put(row, next, place?.control ?? place?.parentElement.querySelector("input:not([type=hidden])"));
  stored(form, stateOf(form));
}

document.addEventListener("click", (event) => {
  const form = event.target.closest?.("tr.editing .submit a")?.closest("tr");
  const row = rows.get(form);
  if (!row) return;
  event.preventDefault();
  const changed = !untouched(form.querySelector("form"));
  put(form, row);
  if (!changed) return;
  tell(make("span", { textContent: t("Not saved.") }), make("button", { type: "button", textContent: t("Undo"), onclick: () => {
    if (row.isConnected && !document.querySelector("tr.editing")) put(row, form);
    tell();
  } }));
});

// The form of a row and that of Undo are sent alike.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (submitter?.name === "_do" || !form.action.includes("/draft?list=") || form.ariaBusy) return;
  event.preventDefault();
  form.ariaBusy = "true";
  const focused = document.activeElement;
  form.inert = true; // what is typed meanwhile would be lost
  const address = new URL(form.action).pathname.replace(/\/draft$/, "");
  const answer = await askPage(form.action, bodyOf(form, submitter));
  const page = await pageOf(answer);
  form.ariaBusy = null;
  form.inert = false;
  focused.focus();
  const old = form.closest("tr") ?? rowOf(document, address);
  const refused = page?.querySelector("tr.editing");
  if (!answer) {
    tell(unconnected);
  } else if (refused && old) {
    rows.set(refused, rows.get(old) ?? old);
    put(old, refused);
  } else if (!answer.ok || !old) {
    leaving.add(form);
    form.submit();
  } else {
    const next = rowOf(page, address);
    const beside = old.nextElementSibling ?? old.previousElementSibling;
    if (next) put(rows.get(old) ? keep(old) : old, next);
    else {
      old.remove();
      (beside?.querySelector("a.row") ?? document.getElementById("main")).focus();
    }
    document.querySelector(".tabs")?.replaceWith(page.querySelector(".tabs"));
    tell(...page.querySelector("main > .notice.good").childNodes);
  }
}, true);

// keep puts the row back that a form stands in for.
function keep(form) {
  const row = rows.get(form);
  form.replaceWith(row);
  return row;
}
