import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, listen, openService } from './rig.ts';

const person = { email: 'asha@example.com', password: 'correct horse' };

for (const [name, create] of Object.entries(examples)) {
  test(`the example with ${name} signs up, shows the member, relays both cookies unchanged, logs in and out`, async () => {
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const { listener, svc, accounts } = create({
      membersUrl: service.address,
      apiKey: service.keys.books,
      platform: 'books',
      scriptUrl: `${service.address}/sdk.js`,
      onWarning: (text) => assert.fail(text),
    });
    stack.defer(async () => void (await svc.close()));
    const { port } = await listen(stack, listener);
    const browser = new Browser(`http://127.0.0.1:${port}`);

    const joined = await browser.post('/signup', person);
    assert.equal(joined.status, 303);
    const [token, uid] = sessionPair(joined);
    const attributes = 'Domain=maru.localhost; Path=/; Max-Age=604800';
    assert.match(
      token!,
      new RegExp(`^svc_sso=svcs_\\w+; ${attributes}; HttpOnly; Secure; SameSite=Lax$`),
    );
    assert.match(uid!, new RegExp(`^svc_uid=svc_\\w+; ${attributes}; Secure; SameSite=Lax$`));
    const svcUid = accounts.logIn(person.email, person.password)!.svcUid!;
    assert.ok(uid!.startsWith(`svc_uid=${svcUid};`));
    const page = await browser.get('/');
    assert.match(
      page,
      new RegExp(`<p id="account">${person.email}</p>\\s*<p id="member">${svcUid}</p>`),
    );

    const left = await browser.post('/logout', {});
    assert.ok(sessionPair(left).every((cookie) => cookie.includes('Max-Age=0')));
    assert.equal((await svc.verify(token!.split(';')[0])).active, false);
    assert.doesNotMatch(await browser.get('/'), /id="account"/);

    assert.equal((await browser.post('/login', person)).status, 303);
    assert.match(await browser.get('/'), new RegExp(`<p id="member">${svcUid}</p>`));
    assert.ok((await browser.post('/signup', person)).status >= 400);
    assert.equal(await service.context.store.read.members.count(), 1);
  });
}

/** Keeps cookies and sends forms. */
class Browser {
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
      // The service knows the platform by the origin that is registered for it.
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
