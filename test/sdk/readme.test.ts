import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { createSvc } from '../../sdk/src/svc.ts';
import { signedHeaders } from '../../src/members/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { listen, openService } from './rig.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8');

const samples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, sample]) => sample!);

/** Types of the values from a platform's own code that samples use, by name. */
const platformTypes: Readonly<Record<string, string>> = {
  svc: `import('@maru/sdk').Svc`,
  membersUrl: 'string',
  apiKey: 'string',
  email: 'string',
  user: '{ id: string; email: string }',
  users: '{ setSvcUid(id: string | number, svcUid: string): Promise<void> }',
  logIn: '(form: unknown) => Promise<{ id: string; email: string }>',
  request: 'Request',
  webhookSecret: 'string',
};

const applications = {
  express: `import('express').Express`,
  fastify: `import('fastify').FastifyInstance`,
  hono: `import('hono').Hono`,
};

test('every TypeScript sample in the README of the SDK type-checks', () => {
  using folder = temporaryFolder();
  for (const [index, sample] of samples.entries()) {
    writeFileSync(join(folder.path, `sample-${index}.ts`), completeModule(sample));
  }
  const modules = join(folder.path, 'node_modules');
  mkdirSync(join(modules, '@maru'), { recursive: true });
  for (const name of ['express', 'fastify', 'hono', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(root, 'sdk'), join(modules, '@maru/sdk'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    // The sources, because nothing is built here.
    customConditions: ['maru-source'],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const output = execFileSync(process.execPath, [tsc, '-p', '.'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  assert.equal(output, '');
});

/** A trial for each sample. The key is the entry point of the package that the sample imports. */
const trials: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  async sdk({ run, users }) {
    await run();
    assert.match(users.get('u-1') ?? '', /^svc_/);
  },
  async outbox({ run, folder }) {
    await run();
    assert.ok(existsSync(join(folder, 'svc-outbox.jsonl')));
  },
  async express({ run, stack }) {
    const app = express();
    await run({ app });
    const { port } = await listen(stack, app);
    const url = `http://127.0.0.1:${port}/login`;
    const response = await fetch(url, { method: 'POST', redirect: 'manual' });
    assertSignedIn(response.headers.getSetCookie());
  },
  async fastify({ run }) {
    const app = fastify();
    await run({ app });
    const { headers } = await app.inject({ method: 'POST', url: '/login' });
    assertSignedIn([headers['set-cookie'] ?? ''].flat());
  },
  async hono({ run }) {
    const app = new Hono();
    await run({ app });
    const response = await app.request('/login', { method: 'POST' });
    assertSignedIn(response.headers.getSetCookie());
  },
  async next({ run }) {
    // The exports of a route file.
    const { POST } = (await run()) as { POST: (request: Request) => Promise<Response> };
    const response = await POST(
      new Request('http://localhost/login', { method: 'POST', body: new URLSearchParams() }),
    );
    assert.equal(response.headers.get('location'), 'http://localhost/');
    assertSignedIn(response.headers.getSetCookie());
  },
  async response({ run }) {
    const response = (await run({ request: new Request('http://localhost/') })) as Response;
    assert.equal(await response.text(), 'Welcome');
    assertSignedIn(response.headers.getSetCookie());
  },
  async webhook({ run }) {
    const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const body = '{"type":"member.created","data":{"svc_uid":"svc_a"}}';
    const headers = signedHeaders(webhookSecret, 'msg_1', Math.floor(Date.now() / 1_000), body);
    for (const [sent, status] of [
      [body, 200],
      [`${body} `, 400],
    ] as const) {
      const init = { method: 'POST', headers, body: sent };
      const request = new Request('http://localhost/', init);
      const response = (await run({ webhookSecret, request })) as Response;
      assert.equal(response.status, status);
    }
  },
};

interface Trial {
  /** Runs the sample with these values; returns its result or its exports. */
  readonly run: (own?: object) => Promise<unknown>;
  readonly users: ReadonlyMap<string, string>;
  readonly folder: string;
  readonly stack: AsyncDisposableStack;
}

test('every sample has a trial', () => {
  assert.deepEqual(samples.map(entryOf), Object.keys(trials));
});

for (const sample of samples) {
  const entry = entryOf(sample);
  test(`the sample with ${entry} runs with the described effect`, async () => {
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const folder = stack.use(temporaryFolder()).path;
    const user = { id: 'u-1', email: 'asha@example.com' };
    const [membersUrl, apiKey] = [service.address, service.keys.books];
    const svc = createSvc({ membersUrl, apiKey, onWarning: (text) => assert.fail(text) });
    const registration = { email: user.email, platform: 'books', local_user_id: user.id };
    await svc.signup(registration);
    const users = new Map<string, string>();
    const setSvcUid = (id: string, uid: string): void => void users.set(id, uid);
    const platform = { svc, membersUrl, apiKey, user, email: user.email, users: { setSvcUid } };
    const file = join(folder, 'sample.ts');
    writeFileSync(file, runnable(sample, service.address, folder));
    // The function that `runnable` makes of a sample.
    const { run } = (await import(pathToFileURL(file).href)) as {
      run: (values: object) => Promise<unknown>;
    };
    const logIn = () => Promise.resolve(user);
    await trials[entry]!({
      run: (own) => run({ ...platform, logIn, ...own }),
      users,
      folder,
      stack,
    });
  });
}

function assertSignedIn(cookies: readonly string[]): void {
  assert.deepEqual(
    cookies.map((cookie) => cookie.split('=')[0]),
    ['svc_sso', 'svc_uid'],
  );
}

/** The entry of the package that a sample uses. */
function entryOf(sample: string): string {
  return [...sample.matchAll(/'@maru\/([\w/-]+)'/g)].at(-1)![1]!.replace('sdk/', '');
}

/** A sample as a function of the values it uses, importing the sources of the package. */
function runnable(sample: string, address: string, folder: string): string {
  const imports = sample.match(/^import .*\n/gm)!.join('');
  const body = sample.replaceAll(/^import .*\n/gm, '').replaceAll('export const', 'const');
  const exported = [...sample.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  const parameters = [...Object.keys(platformTypes), 'app'].filter(
    (name) => !new RegExp(`const ${name}\\b`).test(sample),
  );
  return `${imports}export async function run({ ${parameters.join(', ')} }) {
${body}
return { ${exported.join(', ')} };
}`
    .replaceAll(`'@maru/sdk'`, `'${root}/sdk/src/svc.ts'`)
    .replaceAll(/'@maru\/sdk\/([\w-]+)'/g, `'${root}/sdk/src/$1.ts'`)
    .replaceAll('https://id.example.com', address)
    .replaceAll('/var/lib/books', folder);
}

/** A sample as a module with the declarations it uses, within a function if it returns. */
function completeModule(sample: string): string {
  const [, framework = ''] = /@maru\/sdk\/(\w+)/.exec(sample) ?? [];
  const application = applications[framework as keyof typeof applications] as string | undefined;
  const types = { ...platformTypes, ...(application !== undefined && { app: application }) };
  const declarations = Object.entries(types)
    .filter(([name]) => !new RegExp(`const ${name}\\b`).test(sample))
    .map(([name, type]) => `declare const ${name}: ${type};\n`)
    .join('');
  if (!/^return /m.test(sample)) return `${declarations}${sample}\nexport {};\n`;
  const imports = sample.match(/^import .*\n/gm)?.join('') ?? '';
  const body = sample.replaceAll(/^import .*\n/gm, '');
  return `${imports}${declarations}export async function sample(): Promise<Response> {\n${body}}\n`;
}
