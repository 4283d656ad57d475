// uploadAll sends the files of a form.
export async function uploadAll(form, input) {
  const button = form.querySelector("button.primary");
  if (button.disabled) return;
  button.disabled = true;
  const stay = (event) => event.preventDefault();
  addEventListener("beforeunload", stay);
  const next = await (input.multiple ? sendEach : sendAhead)(form, input);
  removeEventListener("beforeunload", stay);
  button.disabled = false; // also for those who come back
  next();
}

// sendEach sends files one by one, with their progress: those that fit into a request as the form would send them, larger ones straight to the store
// of files. Those that were refused stay chosen; those that are chosen meanwhile follow.
async function sendEach(form, input) {
  const lines = listFiles(form, input);
  const failed = new DataTransfer();
  input.value = "";
  let last;
  for (const line of lines) {
    try {
      line.show(0);
      last = await upload(line.file, form, input.dataset, line.show);
      line.end(t("uploaded"));
    } catch (problem) {
      failed.items.add(line.file);
      line.end(problem.message, "error");
    }
  }
  const more = [...input.files];
  for (const file of more) failed.items.add(file);
  if (failed.files.length === 0) {
    const back = form.elements._back;
    const to = lines.length === 1 ? `${form.action}/${last.id}?` : back ? `${back.value}&` : `${form.action}?`;
    return () => location.assign(to + "ok=created");
  }
  input.files = failed.files;
  const list = form.querySelector(".uploads");
  list.prepend(...list.querySelectorAll("li:has(.error)")); // else they stand below all the files that were sent
  return () => (more.length ? uploadAll(form, input) : input.focus());
}

// sendAhead sends a file that is too large for its form straight to the store of files, and then the form with the id of the upload in its place.
async function sendAhead(form, input) {
  const [file] = input.files;
  if (file.size > Number(input.dataset.max)) {
    const [line] = listFiles(form, input);
    try {
      line.show(0);
      const value = await toStore(file, form, input.dataset.direct, {}, line.show);
      form.append(make("input", { type: "hidden", name: "upload", value }));
    } catch (problem) {
      line.end(problem.message, "error");
      return () => input.focus();
    }
    input.disabled = true;
  }
  delete input.dataset.direct; // the form is sent as it is
  return () => form.requestSubmit();
}

// listFiles shows the chosen files below their input, with their progress.
function listFiles(form, input) {
  form.querySelector(".uploads")?.remove();
  const list = make("ul", { className: "uploads" });
  input.closest(".field").append(list);
  return [...input.files].map((file) => {
    const progress = make("progress", { max: 1, value: 0, ariaLabel: file.name });
    const note = make("span", { textContent: t("waits") });
    list.append(make("li", {}, make("span", { className: "what", textContent: file.name }), " ", progress, " ", note));
    const show = (part) => {
      progress.value = part;
      note.textContent = part < 1 ? `${Math.floor(part * 100)} %` : t("is being checked");
    };
    const end = (text, className = "") => {
      progress.hidden = true;
      Object.assign(note, { textContent: text, className });
      announce(`${file.name}: ${text}`); // readers of screens hear the end, not each step
    };
    return { file, show, end };
  });
}

// upload makes a file of the library, and gives it.
export async function upload(file, form, { direct, max }, show) {
  const body = new FormData(form);
  if (file.size <= Number(max)) {
    body.set("file", file);
    return send("POST", form.action, headersOf(form), body, show);
  }
  const about = {};
  for (const key of ["alt", "caption", "folder_id"]) about[key] = body.get(key) ?? "";
  const id = await toStore(file, form, direct, about, show);
  return send("POST", `${direct}/${id}/complete`, headersOf(form), null);
}

// toStore sends a file straight to the store of files, and gives the id of the direct upload.
async function toStore(file, form, direct, about, show) {
  const what = { name: file.name, mime: file.type || "application/octet-stream", size: file.size, ...about };
  const { id, upload: target } = await send("POST", direct, { ...headersOf(form), "Content-Type": "application/json" }, JSON.stringify(what));
  await send(target.method, target.url, target.headers, file, show);
  return id;
}

const headersOf = (form) => ({ Accept: "application/json", "X-CSRF-Token": form.elements._csrf.value });

// send makes a request, whose progress fetch would not tell, and gives the data of the answer. The store of files knows no sessions.
function send(method, address, headers, body, show) {
  const ours = "X-CSRF-Token" in headers;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (show) request.upload.onprogress = (event) => show(event.loaded / event.total);
    request.onerror = () => reject(new Error(t("The connection broke.")));
    request.onload = async () => {
      const token = ours && (await renewed(request.status, request.getResponseHeader("X-CSRF-Token")));
      if (token) return resolve(send(method, address, { ...headers, "X-CSRF-Token": token }, body, show));
      const type = request.getResponseHeader("Content-Type") || "";
      const { data, error } = type.startsWith("application/json") ? JSON.parse(request.responseText) : {};
      if (request.status < 300) return resolve(data);
      const details = Object.values(error?.details || {}).flat();
      reject(new Error([error?.message || t("The upload was refused ({1}).", request.status), ...details].join(" ")));
    };
    request.send(body);
  });
}
