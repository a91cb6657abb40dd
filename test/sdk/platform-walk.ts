import assert from 'node:assert/strict';

/** The user who signs up. */
export const person = { email: 'asha@example.com', password: 'correct horse' };

/**
 * Signs up at an example platform, checks the member and both cookies of the service, logs out and in again. The
 * platform may run in any runtime.
 */
export async function walkPlatform(origin: string): Promise<WalkResult> {
  const browser = new Browser(origin);
  const joined = await browser.post('/signup', person);
  assert.equal(joined.status, 303);
  const [token, uid] = sessionPair(joined);
  const attributes = 'Domain=maru.localhost; Path=/; Max-Age=604800';
  assert.match(
    token!,
    new RegExp(`^svc_sso=svcs_\\w+; ${attributes}; HttpOnly; Secure; SameSite=Lax$`),
  );
  assert.match(uid!, new RegExp(`^svc_uid=svc_\\w+; ${attributes}; Secure; SameSite=Lax$`));
  const svcUid = /svc_uid=(\w+)/.exec(uid!)![1]!;
  const page = await browser.get('/');
  assert.match(
    page,
    new RegExp(`<p id="account">${person.email}</p>\\s*<p id="member">${svcUid}</p>`),
  );

  const left = await browser.post('/logout', {});
  assert.ok(sessionPair(left).length >= 2);
  assert.ok(sessionPair(left).every((cookie) => cookie.includes('Max-Age=0')));
  assert.doesNotMatch(await browser.get('/'), /id="account"/);

  assert.equal((await browser.post('/login', person)).status, 303);
  assert.match(await browser.get('/'), new RegExp(`<p id="member">${svcUid}</p>`));
  assert.ok((await browser.post('/signup', person)).status >= 400);
  return { svcUid, token: token!.split(';')[0]! };
}

interface WalkResult {
  readonly svcUid: string;
  /** `svc_sso=…` of the session that started with the sign-up. */
  readonly token: string;
}

/** A client that stores cookies and sends forms. */
export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async get(path: string): Promise<string> {
    const response = await fetch(this.#origin + path, { headers: { cookie: this.#header() } });
    assert.equal(response.status, 200);
    return response.text();
  }

  async post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(this.#origin + path, {
      method: 'POST',
      redirect: 'manual',
      // The service identifies the platform by its registered origin.
      headers: { cookie: this.#header(), origin: 'https://books.example.com' },
      body: new URLSearchParams(fields),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=');
      if (cookie.includes('Max-Age=0')) this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    return response;
  }

  #header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

function sessionPair(response: Response): readonly string[] {
  return response.headers.getSetCookie().filter((cookie) => cookie.startsWith('svc_'));
}
