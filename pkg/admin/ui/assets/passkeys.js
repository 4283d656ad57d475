// Passkeys. A form with data-passkey="<address of the options>" asks the device, puts its answer into the input
// "credential" and is sent. With data-make the device makes a passkey; else it shows one. Where the browser knows
// no passkeys, such forms stay hidden.
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) {
    for (const form of document.querySelectorAll("form[data-passkey]")) form.hidden = true;
    return;
  }
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const ids = (list) => (list || []).map((c) => ({ ...c, id: bytes(c.id) }));

  const options = async (form) => {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const { data, error } = await resultOf(await ask(form.dataset.passkey, { method: "POST", headers, body: "{}" }));
    if (error?.code === "CONFIRMATION_REQUIRED" || error?.code === "TOTP_REQUIRED") {
      const typed = form.elements.name ? "?" + new URLSearchParams({ name: form.elements.name.value }) : "";
      leaving.add(form);
      location.assign("/admin/confirm?next=" + encodeURIComponent(location.pathname + typed));
      throw new DOMException("", "AbortError");
    }
    if (error) throw new Error(error.message);
    return { ...data, challenge: bytes(data.challenge) };
  };

  const made = async (form) => {
    const o = await options(form);
    const publicKey = { ...o, user: { ...o.user, id: bytes(o.user.id) }, excludeCredentials: ids(o.excludeCredentials) };
    const c = await navigator.credentials.create({ publicKey });
    return answer(c, {
      attestationObject: text(c.response.attestationObject),
      transports: c.response.getTransports?.() || [],
    });
  };

  const shown = async (form) => {
    const o = await options(form);
    const c = await navigator.credentials.get({ publicKey: { ...o, allowCredentials: ids(o.allowCredentials) } });
    const handle = c.response.userHandle;
    return answer(c, {
      authenticatorData: text(c.response.authenticatorData), signature: text(c.response.signature),
      userHandle: handle ? text(handle) : undefined,
    });
  };

  const answer = (c, response) => JSON.stringify({
    id: c.id, rawId: text(c.rawId), type: c.type, authenticatorAttachment: c.authenticatorAttachment || undefined,
    clientExtensionResults: c.getClientExtensionResults(),
    response: { clientDataJSON: text(c.response.clientDataJSON), ...response },
  });

  document.addEventListener("submit", async (event) => {
    const { target: form } = event;
    if (event.defaultPrevented || !form.dataset.passkey || form.elements.credential.value) return;
    event.preventDefault();
    const problem = form.querySelector("[role=alert]");
    problem.hidden = true;
    try {
      form.elements.credential.value = await ("make" in form.dataset ? made : shown)(form);
      form.requestSubmit(); // not submit(), which would leave without the event that marks the form as sent
    } catch (error) {
      if (error.name === "AbortError") return;
      problem.textContent = error.name === "InvalidStateError" ? t("This device has a passkey for you already.")
        : error.name === "NotAllowedError" ? t("Nothing was done: the device gave no answer.") : error.message;
      problem.hidden = false;
    }
  }, true);
})();
