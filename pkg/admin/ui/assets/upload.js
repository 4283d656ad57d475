// Files are sent one by one, with their progress: those that fit into a request as the form would send them, larger ones straight to the store of
// files. Those that were refused stay chosen; those that are chosen meanwhile follow.
export async function uploadAll(form, input) {
  const button = form.querySelector("button.primary");
  if (button.disabled) return;
  button.disabled = true;
  const stay = (event) => event.preventDefault();
  addEventListener("beforeunload", stay);
  form.querySelector(".uploads")?.remove();
  const list = make("ul", { className: "uploads" });
  input.closest(".field").append(list);
  const lines = [...input.files].map((file) => {
    const progress = make("progress", { max: 1, value: 0, ariaLabel: file.name });
    const note = make("span", { textContent: t("waits") });
    list.append(make("li", {}, make("span", { className: "what", textContent: file.name }), " ", progress, " ", note));
    return { file, progress, note };
  });
  const failed = new DataTransfer();
  input.value = "";
  let last;
  for (const { file, progress, note } of lines) {
    const show = (part) => {
      progress.value = part;
      note.textContent = part < 1 ? `${Math.floor(part * 100)} %` : t("is being checked");
    };
    try {
      show(0);
      last = await upload(file, form, input.dataset, show);
      note.textContent = t("uploaded");
    } catch (problem) {
      failed.items.add(file);
      note.textContent = problem.message;
      note.className = "error";
    }
    progress.hidden = true;
    announce(`${file.name}: ${note.textContent}`); // readers of screens hear the end, not each step
  }
  removeEventListener("beforeunload", stay);
  button.disabled = false; // also for those who come back
  const more = [...input.files];
  for (const file of more) failed.items.add(file);
  if (failed.files.length === 0) {
    const back = form.elements._back;
    location.href = (lines.length === 1 ? `${form.action}/${last.id}?` : back ? `${back.value}&` : `${form.action}?`) + "ok=created";
    return;
  }
  input.files = failed.files;
  if (more.length) return uploadAll(form, input);
  input.focus();
}

// upload makes a file of the library, and gives it.
export async function upload(file, form, { direct, max }, show) {
  const headers = { Accept: "application/json", "X-CSRF-Token": form.elements._csrf.value };
  const body = new FormData(form);
  if (file.size <= Number(max)) {
    body.set("file", file);
    return send("POST", form.action, headers, body, show);
  }
  body.delete("file");
  const what = { name: file.name, mime: file.type || "application/octet-stream", size: file.size };
  for (const key of ["alt", "caption", "folder_id"]) what[key] = body.get(key) ?? "";
  const { id, upload: target } = await send("POST", direct, { ...headers, "Content-Type": "application/json" }, JSON.stringify(what));
  await send(target.method, target.url, target.headers, file, show);
  return send("POST", `${direct}/${id}/complete`, headers, null);
}

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
