// The library takes files that are dropped, and saves texts as they are left.
"use strict";

// Files that are dropped anywhere on the page of the library are uploaded.
{
  const form = document.querySelector("form[data-drop]");
  if (form) {
    form.querySelector("[data-drop-hint]").hidden = false;
    const main = document.querySelector("main");
    const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      main.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) main.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      main.classList.remove("dropping");
      const files = new DataTransfer();
      for (const file of [...form.elements.file.files, ...event.dataTransfer.files]) files.items.add(file);
      form.elements.file.files = files.files;
      form.requestSubmit();
    });
  }
}

// A form of one text in a grid saves when the text is left, without leaving the page.
for (const form of document.querySelectorAll("form[data-quiet]")) {
  const [input, status] = [form.elements.alt, form.querySelector("[role=status]")];
  let saved = input.value;
  const save = async () => {
    if (input.value === saved) return;
    const text = input.value;
    status.textContent = t("Saving…");
    const answer = await sendJSON("PUT", form.action, { alt: text }, { keepalive: true });
    if (answer?.ok) saved = text;
    status.textContent = answer?.ok ? t("Saved.") : t("Not saved. Try again.");
  };
  input.onchange = save;
  addEventListener("beforeunload", (event) => input.value !== saved && event.preventDefault());
  form.onsubmit = (event) => {
    event.preventDefault();
    save();
  };
}
