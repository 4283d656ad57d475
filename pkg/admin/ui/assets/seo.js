// The search result and the shared link of an entry follow what is typed.
"use strict";

function show() {
  const form = document.getElementById("entry");
  const box = form?.querySelector(".result");
  if (!box) return;
  const value = (name) => form.elements[name]?.value.trim() ?? "";
  const texts = { title: value("seo.title") || value("title"), text: value("seo.description") };
  for (const e of box.querySelectorAll("[data-of]")) e.textContent = texts[e.dataset.of];
  for (const { dataset, children } of box.querySelectorAll("[data-most]")) {
    const length = [...texts[dataset.length]].length;
    children[0].textContent = `${length} / ${dataset.most}`;
    dataset.state = length === 0 ? "missing" : length > dataset.most ? "long" : "good";
  }
}
// The service names the flaws of the saved entry, for who looks at them.
async function check() {
  if (isNew() || !document.querySelector(".checks")?.checkVisibility()) return;
  const answer = await askPage(`${place}?part=checks`);
  if (answer?.ok && !answer.redirected) document.querySelector(".checks").replaceChildren(...(await pageOf(answer)).body.childNodes);
}
for (const kind of ["entry-saved", "pane", "toggle"]) document.addEventListener(kind, check, true);
check();
document.addEventListener("input", show);
document.addEventListener("form-swapped", show);
show();
