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
// The service names the flaws of the saved entry.
async function check() {
  if (!document.querySelector(".seo[open]")) return;
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
  const next = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".checks");
  if (next) document.querySelector(".checks")?.replaceChildren(...document.adoptNode(next).childNodes);
}
document.addEventListener("entry-saved", check);
document.addEventListener("input", show);
document.addEventListener("form-swapped", show);
show();
