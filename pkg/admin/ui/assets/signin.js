// Signs in without leaving the page, where its session has ended or somebody else has signed in in this browser.

const tokenNow = () => document.querySelector("[name=_csrf]").value;
const emailNow = async () => (await resultOf(await fetch("/admin/me", { headers: { Accept: "application/json" } }).catch(() => null))).data?.email;
let asking = null; // the answer of the open dialog
const headers = { Accept: "text/html", "Accept-Language": document.documentElement.lang };

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

// login sends a form of the sign-in page and returns the page that answers. A session of somebody else has a token of its own.
async function login(form, token) {
  const body = bodyOf(form);
  if (token) body.set("_csrf", token);
  const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
  const other = answer?.headers.get("X-CSRF-Token");
  return other && other !== token ? login(form, other) : pageOf(answer);
}

// ask opens a dialog with the forms of the sign-in page. It closes too when its person signs in in another tab.
async function ask(token) {
  const first = await pageOf(await fetch("/admin/login", { credentials: "omit", headers }).catch(() => null)); // without the session of somebody else
  if (!first) return remind(token);
  const isOther = t("Another person has signed in here. What you typed is still here.");
  const problem = make("p", { className: "error" });
  problem.setAttribute("role", "alert");
  const ways = make("div");
  const dialog = make("dialog", { className: "question" }, make("h2", { id: "again", textContent: t("Sign in again") }), problem,
    make("p", { textContent: token ? isOther : t("Your session has ended. What you typed is still here.") }), ways);
  dialog.setAttribute("aria-labelledby", "again");
  // show offers what a sign-in page offers, to this person only. The ids of its inputs are not those of the page below.
  const show = (page) => {
    const [email, password, code] = ["email", "password", "code"].map((id) => page.getElementById(id));
    if (email) Object.assign(email, { value: me, readOnly: true, autofocus: false });
    if (password) Object.assign(password, { value: ways.querySelector("[type=password]")?.value ?? "", autofocus: !code });
    if (code) code.autofocus = true;
    for (const label of page.querySelectorAll(".login label")) label.htmlFor = label.control.id = `again-${label.htmlFor}`;
    for (const link of page.querySelectorAll(".login a")) Object.assign(link, { target: "_blank", className: link.className || "button quiet" });
    for (const e of page.querySelectorAll(".login :is(.brand, h1, .notice:not([hidden]))")) e.remove();
    ways.replaceChildren(...page.querySelectorAll(".login"));
    for (const form of ways.children) form.className = "";
    ways.querySelector("[autofocus]")?.focus();
  };
  show(first);
  dialog.addEventListener("submit", async (event) => {
    if (event.defaultPrevented) return; // the device is asked for a passkey first
    event.preventDefault();
    const page = await login(event.target, token);
    const { credential } = event.target.elements;
    if (credential) credential.value = ""; // the device answers each try anew
    const now = page?.querySelector(".top [name=_csrf]")?.value;
    if (now && page.querySelector("[data-me]").textContent === me) {
      takeToken(now);
      return tellToken(now);
    }
    token = now ?? token;
    problem.textContent = now ? isOther : page?.querySelector("[role=alert]")?.textContent || t("The service cannot be reached.");
    if (page?.querySelector(".login")) show(page);
  });
  await load("passkeys");
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
