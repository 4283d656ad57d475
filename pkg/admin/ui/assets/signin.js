// Signs in without leaving the page, where its session has ended or somebody else has signed in in this browser.

const tokenNow = () => document.querySelector("[name=_csrf]").value;
const emailNow = async () => (await resultOf(await fetch("/admin/me", { headers: { Accept: "application/json" } }).catch(() => null))).data?.email;
let asking = null; // the answer of the open dialog

// signIn returns the token of a session of this page's person, null if nobody signs in. token is that of the session that the browser has, null if it
// has none. A quiet request shows a button instead of the dialog.
export async function signIn(token, quiet) {
  if (token && (await emailNow()) === me) {
    takeToken(token);
    return token;
  }
  if (quiet) return remind(token);
  asking ??= ask(token).finally(() => { asking = null; });
  return asking;
}

// remind tells of the session at the foot of the page, with a button that opens the dialog.
function remind(token) {
  if (told.querySelector("[data-again]")) return null; // readers of screens hear it once
  const button = make("button", { type: "button", textContent: t("Sign in"), onclick: () => signIn(token) });
  button.dataset.again = "";
  document.addEventListener("signed-in", () => button.isConnected && tell(), { once: true });
  tell(make("span", { textContent: t("The session has ended") }), " ", button);
  return null;
}

// login sends the form to the service and returns its page. A session of somebody else has a token of its own.
async function login(form, token) {
  const body = bodyOf(form);
  if (token) body.set("_csrf", token);
  const answer = await fetch("/admin/login", { method: "POST", body, headers: { Accept: "text/html" } }).catch(() => null);
  const other = answer?.headers.get("X-CSRF-Token");
  return other && other !== token ? login(form, other) : pageOf(answer);
}

// ask opens the dialog. It closes too when its person signs in in another tab.
function ask(token) {
  const problem = make("p", { className: "error" });
  problem.setAttribute("role", "alert");
  const field = (label, properties) => {
    const input = make("input", { required: true, id: `again-${properties.name}`, ...properties });
    return make("div", { className: "field" }, make("label", { htmlFor: input.id, textContent: label }), input);
  };
  const reason = token ? t("Another person has signed in here. What you typed is still here.") : t("Your session has ended. What you typed is still here.");
  const more = make("p", {}, make("a", { className: "button quiet", href: "/admin/login", target: "_blank", textContent: t("Other ways to sign in") }));
  const form = make("form", {}, make("h2", { id: "again", textContent: t("Sign in again") }), make("p", { textContent: reason }), problem,
    field(t("E-mail"), { name: "email", type: "email", autocomplete: "username", value: me, readOnly: true }),
    field(t("Password"), { name: "password", type: "password", autocomplete: "current-password", autofocus: true }), make("button", { className: "primary", textContent: t("Sign in") }), more);
  const dialog = make("dialog", { className: "question" }, form);
  dialog.setAttribute("aria-labelledby", "again");
  form.onsubmit = async (event) => {
    event.preventDefault();
    const page = await login(form, token);
    const now = page?.querySelector(".top [name=_csrf]")?.value;
    if (now) {
      takeToken(now);
      return tellToken(now);
    }
    problem.textContent = page?.querySelector("[role=alert]")?.textContent || t("The service cannot be reached.");
    if (page?.getElementById("code") && !form.elements.code) form.querySelector("button").before(field(t("Code"), { name: "code", autocomplete: "one-time-code" }));
  };
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    let signedIn = null;
    const close = () => {
      signedIn = tokenNow();
      dialog.close();
    };
    document.addEventListener("signed-in", close);
    dialog.onclose = () => {
      document.removeEventListener("signed-in", close);
      dialog.remove();
      done(signedIn ?? remind(token));
    };
  });
}
