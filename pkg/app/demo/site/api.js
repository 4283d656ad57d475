// The delivery API of the service, read with a publishable key: no secret, no headers, no cookies.

const config = await (await fetch('config.json')).json();

// Failure is an answer that is not a success.
export class Failure extends Error {
  constructor(error, status) {
    super(error?.message || 'The service does not answer.');
    this.status = status;
    this.details = error?.details || {};
  }
}

// read asks the delivery API; the answer may come from a cache.
export async function read(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return envelope(await fetch(`${config.delivery}${path}?${query}`, { credentials: 'omit' }));
}

// submit sends a form. Writing is not delivery's: it goes to the content API, where forms need no key.
export async function submit(form, values) {
  return envelope(await fetch(`${config.api}/forms/${encodeURIComponent(form)}/submit`, {
    method: 'POST', credentials: 'omit', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(values),
  }));
}

async function envelope(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Failure(body?.error, response.status);
  return body;
}
