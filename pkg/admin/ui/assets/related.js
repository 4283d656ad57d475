// Entries that a field refers to are made in its dialog, as drafts, without leaving the page.
"use strict";

{
  let field = null; // whose dialog is open
  document.addEventListener("click", ({ target }) => {
    field = target.closest?.("button[data-source]")?.closest("fieldset") ?? field;
  }, true);

  document.addEventListener("form-swapped", () => {
    if (field?.id) field = document.getElementById(field.id) ?? field;
  });

  // pick chooses a new entry in the field.
  const pick = ({ id, title }, at) => {
    const copy = field.querySelector("template").content.cloneNode(true);
    const item = copy.firstElementChild;
    const chosen = field.querySelector("ul");
    // A value of a relation to several models has the slug of its model before the id.
    const several = field.querySelector("button[data-source]").dataset.models;
    fill(item, { id: several ? `${at.split("/").at(-2)}/${id}` : id, text: title, note: t("draft"), url: null });
    item.querySelector("label").after(" ", make("a", { className: "open", href: `${at}/${id}`, target: "_blank" }, make("span", { className: "hidden", textContent: t("Open {1} in a new tab", title) }), make("span", { ariaHidden: "true", textContent: "↗" })));
    if (item.querySelector("input").type === "radio") chosen.replaceChildren();
    chosen.append(copy);
    item.querySelector("input").dispatchEvent(new Event("change", { bubbles: true }));
    item.querySelector("input").focus();
  };

  function create(picker, at, name) {
    const input = make("input", { id: "related-name", required: true, autocomplete: "off" });
    const says = make("p", { className: "error" });
    says.setAttribute("role", "alert");
    const form = make("form", {}, make("h2", { id: "related-title", textContent: name }), make("div", { className: "field" }, make("label", { htmlFor: input.id, textContent: t("Title") }), input,
      make("p", { className: "help", textContent: t("A draft, which is chosen at once. Complete and publish it later.") })), says,
      make("div", { className: "submit" }, make("button", { className: "primary", textContent: t("Create") }), make("button", { type: "button", textContent: t("Cancel"), onclick: () => box.close() })));
    const box = make("dialog", { className: "question related" }, form);
    box.setAttribute("aria-labelledby", "related-title");
    form.onsubmit = async (event) => {
      event.preventDefault();
      const entry = { title: input.value };
      const { localized = "" } = field.querySelector("button[data-source]").dataset;
      if (localized.split(" ").includes(at.split("/").at(-2))) entry.locale = document.getElementById("f-title").lang;
      const { data, error } = await resultOf(await sendJSON("POST", `${at}?draft=true`, entry));
      if (error) {
        says.textContent = messageOf(error);
        return;
      }
      box.close();
      picker.close();
      pick(data, at);
    };
    box.onclose = () => box.remove();
    document.body.append(box);
    box.showModal();
    input.focus();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".picker a[href$='/entries/create']");
    if (!link || !field || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    create(link.closest("dialog"), link.getAttribute("href").replace(/\/create$/, ""), link.textContent);
  });
}
