// The library, or the entries of a model, in a dialog that is searched while one types.

export function choose(button) {
  let field = button.closest("fieldset");
  const template = field.querySelector("template");
  const many = template.content.querySelector("input").type === "checkbox";
  let chosen = field.querySelector("ul");
  const input = (id) => [...chosen.querySelectorAll("input")].find((i) => i.value === id);

  const title = make("h2", { id: "picker-title", textContent: field.querySelector("legend").firstChild.data.trim() });
  // A relation to several models: the dialog shows the entries of one, and an id has its slug before it.
  const models = (button.dataset.models ?? "").split("\n").filter(Boolean).map((line) => line.split(/ (.*)/));
  const model = make("select", { ariaLabel: t("Model"), hidden: !models.length, onchange: () => load(1) }, ...models.map(([slug, name]) => make("option", { value: slug, textContent: name })));
  const source = () => (models.length ? button.dataset.source.replace(/\/models\/[^/]+\//, `/models/${model.value}/`) : button.dataset.source);
  // Entries of a localized model are those in the language of the edited entry, until all are chosen.
  const { localized = "", locale = "" } = button.dataset;
  const languages = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });
  const language = make("select", { ariaLabel: t("Language"), onchange: () => load(1) }, make("option", { value: locale, textContent: locale && languages.of(locale) }), make("option", { value: "", textContent: t("All languages") }));
  const search = make("input", { type: "search", ariaLabel: t("Search"), placeholder: t("Search"), autofocus: true });
  const close = make("button", { type: "button", textContent: many ? t("Done") : t("Cancel") });
  const found = make("ul", { className: "choices many" });
  const range = make("span", { role: "status" });
  const turn = (text, by) => make("button", { type: "button", textContent: text, hidden: true, onclick: () => load(page + by) });
  const [before, after] = [turn(t("Previous"), -1), turn(t("Next"), 1)];
  const add = make("a", { className: "button", href: button.dataset.add ?? "", hidden: !button.dataset.add, target: "_blank", textContent: button.dataset.addText ?? t("New entry"), title: t("In a new tab") });
  const dialog = make("dialog", { className: "picker" }, make("div", { className: "find" }, title, model, language, search, close), found, make("div", { className: "paging" }, range, before, after, add));
  dialog.setAttribute("aria-labelledby", title.id);

  let inLanguages = false;
  let page = 1;
  let asked = 0; // answers may come in another order
  async function load(to) {
    const address = new URL(source(), location.href);
    if (search.value.trim()) address.searchParams.set("q", search.value.trim());
    address.searchParams.set("page", to);
    address.searchParams.set("per_page", 12);
    inLanguages = localized.split(" ").includes(address.pathname.split("/").at(-2));
    language.hidden = !(inLanguages && locale);
    if (inLanguages && language.value) address.searchParams.set("filter[locale]", language.value);
    const mine = ++asked;
    const { data, meta, error } = await resultOf(await askJSON(address));
    if (mine !== asked) return;
    page = to;
    const { page: at, per_page: size, total } = meta ?? {};
    const items = (data ?? []).map((item) => (models.length ? { ...item, id: `${model.value}/${item.id}` } : item));
    if (models.length) Object.assign(add, { href: `${address.pathname}/create`, hidden: !button.dataset.makes.split(" ").includes(model.value) });
    range.textContent = error ? error.message : items.length ? t("{1}–{2} of {3}", (at - 1) * size + 1, (at - 1) * size + items.length, total) : t("Nothing found.");
    before.hidden = !(page > 1);
    after.hidden = !(at * size < total);
    found.replaceChildren(...items.map(choice));
    return true;
  }

  function choice(item) {
    const picture = item.mime?.startsWith("image/");
    const notes = item.mime ? [!picture && item.mime] : [inLanguages && languages.of(item.locale), item.status === "draft" && t("draft")];
    const note = notes.filter(Boolean).join(t(", "));
    const text = item.name || item.title;
    const image = make("img", { className: "thumb", alt: "", hidden: !picture });
    if (picture) image.src = thumbnail(item.url);
    const b = make("button", { type: "button", className: "choice" }, image, make("span", { className: "what", textContent: text }), " ", make("small", { className: "muted", textContent: note }));
    b.ariaPressed = Boolean(input(item.id)?.checked);
    b.onclick = () => {
      if (b.ariaPressed === "true") {
        if (many) input(item.id).closest("li").remove();
      } else if (!many && input(item.id)) {
        input(item.id).checked = true;
      } else {
        const copy = template.content.cloneNode(true);
        fill(copy.firstElementChild, { id: item.id, text, note, url: picture && thumbnail(item.url) });
        if (!many) chosen.replaceChildren();
        input(item.id)?.closest("li").remove();
        chosen.append(copy);
      }
      b.ariaPressed = b.ariaPressed !== "true";
      field.dispatchEvent(new Event("change", { bubbles: true }));
      if (!many) dialog.close();
    };
    return make("li", {}, b);
  }

  let typing;
  search.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(() => load(1), 200);
  };
  // Enter takes the only hit, else it moves to the first one.
  search.onkeydown = async (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(typing);
    if (!(await load(1))) return;
    const hits = found.querySelectorAll("button");
    if (hits.length === 1 && hits[0].ariaPressed === "false") hits[0].click();
    else hits[0]?.focus();
  };
  // A form that is replaced while the dialog is open, as by the first save of a new entry, has another field.
  const follow = ({ detail: { form, was } }) => {
    const step = button.value && sameStep(was, rowIds(form), button.value);
    const now = step && [...form.querySelectorAll("button[data-source]")].find((b) => b.value === step);
    if (now) [button, field, chosen] = [now, now.closest("fieldset"), now.closest("fieldset").querySelector("ul")];
  };
  document.addEventListener("form-swapped", follow);
  const renew = () => load(page); // somebody comes back from an upload
  addEventListener("focus", renew);
  close.onclick = () => dialog.close();
  dialog.onclose = () => {
    removeEventListener("focus", renew);
    document.removeEventListener("form-swapped", follow);
    dialog.remove();
    if (document.activeElement === document.body) button.focus();
  };
  document.body.append(dialog);
  dialog.showModal();
  load(1);
}
