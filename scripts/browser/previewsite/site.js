// Shows the entry that the address names. A preview token in the address shows its draft, with a mark in each text that leads to its field.
"use strict";

const service = document.querySelector("meta[name=cms]");
const asked = new URLSearchParams(location.search);

async function show() {
  const query = new URLSearchParams({ locale: asked.get("locale") });
  if (asked.has("preview")) {
    query.set("preview", asked.get("preview"));
    query.set("source", "stega");
  }
  const answer = await fetch(`${service.content}/delivery/v1/${service.dataset.key}/posts/${asked.get("slug")}?${query}`);
  const { data: entry, error } = await answer.json();
  if (error) {
    document.querySelector("h1").textContent = error.message;
    return;
  }
  for (const element of document.querySelectorAll("[data-field]")) {
    const field = element.dataset.field;
    element.textContent = field.split(".").reduce((value, name) => value?.[name], entry) ?? "";
    if (asked.has("preview") && element.tagName === "DIV") element.dataset.cms = `posts/${entry.id}#${field}`; // what no mark can be in
  }
  document.title = window.cms?.plain(entry.title) ?? entry.title;
}

if (asked.has("preview")) {
  const script = document.createElement("script");
  script.src = `${service.content}/assets/preview.js`;
  script.onload = show;
  document.head.append(script);
} else {
  show();
}
