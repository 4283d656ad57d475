// Pictures on their way into an editor of Markdown: of the library, pasted or dropped. parts are functions of markdown-insert.js.

// placed puts a picture into a paragraph of its own, behind the one with the cursor; in a row of a table it stands in its cell.
function placed(view, text, replace) {
  const { doc, selection } = view.state;
  const line = doc.lineAt(selection.main.to);
  if (/^\s*\|.*\|\s*$/.test(line.text)) return replace(view, selection.main.to, selection.main.to, text);
  const empty = !line.text.trim();
  const above = empty && line.number > 1 && doc.line(line.number - 1).text.trim() ? "\n" : "";
  // The cursor goes on to the line below: in that of the picture it would show its source.
  const below = line.number < doc.lines && !doc.line(line.number + 1).text.trim();
  replace(view, empty ? line.from : line.to, line.to, `${empty ? above : "\n\n"}${text}${below ? "" : "\n"}`, Number(below));
}

// describe asks for the alternative text of a picture, which is known or still on its way, and inserts it at a place.
function describe(view, name, arriving, note, { dialog, field, linkText, replace }) {
  return new Promise((resolve) => {
    const [box, alt] = field(t("Alternative text"), { autocomplete: "off" }, t("Says what the picture shows, to people who do not see it. Empty: it is only decoration."));
    const says = make("p", { className: "help", textContent: note });
    says.setAttribute("role", "status");
    const form = dialog(t("Picture: {1}", name), [box, says], t("Insert"), async () => {
      const file = await arriving((text) => { says.textContent = text; }).catch((problem) => {
        says.textContent = problem.message;
        says.className = "error";
        return null;
      });
      if (!file) return false;
      const text = alt.value.trim();
      if (text && text !== file.alt) await sendJSON("PUT", `/admin/media/${file.id}`, { alt: text }); // if it fails, the text has it all the same
      placed(view, `!${linkText(text, `cms://media/${file.id}`)}`, replace);
      return true;
    }, () => {
      view.focus();
      resolve();
    });
    arriving((text) => { says.textContent = text; }).then((file) => { if (!alt.value && form.isConnected) alt.value = file?.alt ?? ""; }, () => null);
    alt.focus();
  });
}

// image asks for a picture of the library.
export function image(view, parts) {
  const chosen = make("ul");
  const template = make("template");
  template.content.append(make("li", {}, make("input", { type: "radio" }), make("img", { alt: "" }), make("span", { className: "what" }), make("small")));
  const button = make("button");
  Object.assign(button.dataset, { source: "/admin/media?filter[mime]=image/*" }, parts.mayUpload() && { add: "/admin/media/create", addText: t("Upload a file") });
  make("fieldset", {}, make("legend", { textContent: t("Picture") }), chosen, template, button);
  new MutationObserver(async (changes, observer) => {
    observer.disconnect();
    const id = chosen.querySelector("input").value;
    const file = await parts.asked(`/admin/media/${encodeURIComponent(id)}`);
    if (file) describe(view, file.name, async () => file, "", parts);
  }).observe(chosen, { childList: true });
  choose(button);
}

// send sends files that were dropped or pasted to the library, one after the other, and asks for the text of each.
export async function send(view, files, parts) {
  const { direct, max } = theForm().dataset;
  const form = make("form", { action: "/admin/media" }, make("input", { name: "_csrf", value: theForm().elements._csrf.value }));
  const uploads = await load("upload");
  for (const file of files) {
    let tell = () => {};
    const sent = !uploads ? Promise.reject(new Error(t("The connection broke."))) : uploads.upload(file, form, { direct, max }, (part) => tell(part < 1 ? t("Uploading: {1} %", Math.floor(part * 100)) : t("The picture is being checked")));
    sent.then(() => tell(t("Uploaded.")), (problem) => tell(problem.message));
    await describe(view, file.name, (say) => {
      tell = say;
      return sent;
    }, t("Uploading…"), parts);
  }
}
