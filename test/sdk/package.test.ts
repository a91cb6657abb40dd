import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { temporaryFolder } from '../temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** The declarations of the compiler itself need no check; they took three quarters of its time. */
const withoutOwnLibraries = ['--skipDefaultLibCheck'];

/** Uses every entry, as the code of a platform does. */
const imports = `
import { createSvc, type Svc } from '@maru/sdk';
import type { RegisterAnswer } from '@maru/sdk/contract';
import { SvcError } from '@maru/sdk/svc-error';
import { fileOutbox } from '@maru/sdk/outbox';
import { visitorOf as expressVisitor } from '@maru/sdk/express';
import { visitorOf as fastifyVisitor } from '@maru/sdk/fastify';
import { visitorOf as honoVisitor } from '@maru/sdk/hono';
import { visitorOf } from '@maru/sdk/response';
import { withVisitor } from '@maru/sdk/next';
import { verifySignature } from '@maru/sdk/webhook';
`;
const body = `
const svc: Svc = createSvc({ membersUrl: 'http://127.0.0.1:1', apiKey: 'svck_test', onWarning: () => {} });
const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
const answer: RegisterAnswer | null = await svc.signup(user);
const error: unknown = await svc.byEmail(user.email).catch((reason: unknown) => reason);
const GET = withVisitor(svc, (request, visitor) => new Response(visitor.uid()));
const response = await GET(new Request('http://localhost', { headers: { cookie: 'svc_uid=svc_1' } }), undefined);
const kinds = [fileOutbox, expressVisitor, fastifyVisitor, honoVisitor, visitorOf, verifySignature].map((entry) => typeof entry);
const report = await svc.close({ timeoutMs: 1_000 });
console.log(JSON.stringify([answer, error instanceof SvcError, await response.text(), kinds, report]));
`;

const consumers = [
  ['consumer.mts', imports + body, /^import /m],
  // A CommonJS file has no await outside of functions.
  ['consumer.cts', `${imports}void (async () => {${body}})();`, /require\("@maru\/sdk"\)/],
] as const;

test('the packed package runs and type-checks without dependencies, as ES module and CommonJS', () => {
  using folder = temporaryFolder();
  const options = { cwd: join(root, 'sdk'), encoding: 'utf8', stdio: 'pipe' } as const;
  execFileSync('npm', ['pack', '--pack-destination', folder.path, '--offline'], options);
  const [archive] = readdirSync(folder.path);
  unpack(join(folder.path, archive!), folder.path);
  const modules = join(folder.path, 'node_modules/@maru');
  mkdirSync(modules, { recursive: true });
  renameSync(join(folder.path, 'package'), join(modules, 'sdk'));
  // The file is the package's manifest.
  const manifest = JSON.parse(readFileSync(join(modules, 'sdk/package.json'), 'utf8')) as object;
  assert.ok(!('dependencies' in manifest));
  assert.deepEqual(readdirSync(join(modules, 'sdk')).sort(), ['README.md', 'dist', 'package.json']);

  for (const [file, source] of consumers) writeFileSync(join(folder.path, file), source);
  // Unlike `nodenext`, this lets no CommonJS file require an ES module.
  const strict = ['--strict', '--exactOptionalPropertyTypes', ...withoutOwnLibraries];
  const module = ['--module', 'node16'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--rootDir', '.'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const here = { cwd: folder.path, encoding: 'utf8', stdio: 'pipe' } as const;
  const files = consumers.map(([file]) => file);
  execFileSync(process.execPath, [tsc, ...strict, ...module, ...target, ...files], here);
  for (const [file, , importPattern] of consumers) {
    const compiled = file.replace('ts', 'js');
    assert.match(readFileSync(join(folder.path, compiled), 'utf8'), importPattern);
    const printed = execFileSync(process.execPath, [compiled], here);
    assert.deepEqual(JSON.parse(printed), [
      null,
      true,
      'svc_1',
      Array.from({ length: 6 }, () => 'function'),
      { delivered: 0, pending: 1 },
    ]);
  }
});

/** Unpacks an archive of npm: regular files in blocks of 512 bytes, each behind a header (POSIX ustar). */
function unpack(archive: string, folder: string): void {
  const content = gunzipSync(readFileSync(archive));
  const textAt = (from: number, to: number): string =>
    content.toString('latin1', from, to).replace(/\0.*$/s, '');
  for (let at = 0; content[at] !== 0;) {
    const path = join(folder, textAt(at, at + 100));
    const size = Number.parseInt(textAt(at + 124, at + 136), 8);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

test('outside the outbox the package uses only what pages have, as Bun, Deno and workers', () => {
  const sources = globSync('sdk/src/*.ts', { cwd: root }).filter((file) => !/outbox/.test(file));
  assert.ok(sources.length > 10);
  const alone = ['--ignoreConfig', '--noEmit', '--strict', '--types', '', ...withoutOwnLibraries];
  const web = ['--lib', 'es2022,dom,dom.iterable', '--target', 'es2022', '--module', 'nodenext'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, ...alone, ...web, '--allowImportingTsExtensions', ...sources];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('an adapter has less than forty lines', () => {
  for (const name of ['express', 'fastify', 'hono', 'next', 'response']) {
    const lines = readFileSync(join(root, `sdk/src/${name}.ts`), 'utf8').split('\n').length - 1;
    assert.ok(lines < 40, `${name}: ${lines}`);
  }
});
