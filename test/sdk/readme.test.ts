import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8');

/** What a platform has already, where a sample uses it. */
const given: Readonly<Record<string, string>> = {
  svc: `import('@maru/sdk').Svc`,
  membersUrl: 'string',
  apiKey: 'string',
  email: 'string',
  user: '{ id: string; email: string }',
  users: '{ setSvcUid(id: string | number, svcUid: string): Promise<void> }',
  logIn: '(form: unknown) => Promise<{ id: string; email: string }>',
  request: 'Request',
};

const applications = {
  express: `import('express').Express`,
  fastify: `import('fastify').FastifyInstance`,
  hono: `import('hono').Hono`,
};

test('every sample of the package’s page for servers is right in its types', () => {
  using folder = temporaryFolder();
  const samples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, sample]) => sample!);
  assert.ok(samples.length >= 7);
  for (const [index, sample] of samples.entries()) {
    writeFileSync(join(folder.path, `sample-${index}.ts`), whole(sample));
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
    // The sources: nothing is built here.
    customConditions: ['maru-source'],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const ran = execFileSync(process.execPath, [tsc, '-p', '.'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  assert.equal(ran, '');
});

/** A sample as a module: with what it takes for granted, and in a function where it returns. */
function whole(sample: string): string {
  const [, framework = ''] = /@maru\/sdk\/(\w+)/.exec(sample) ?? [];
  const application = applications[framework as keyof typeof applications] as string | undefined;
  const names = { ...given, ...(application !== undefined && { app: application }) };
  const declared = Object.entries(names)
    .filter(([name]) => !new RegExp(`const ${name}\\b`).test(sample))
    .map(([name, type]) => `declare const ${name}: ${type};\n`)
    .join('');
  if (!/^return /m.test(sample)) return `${declared}${sample}\nexport {};\n`;
  const imports = sample.match(/^import .*\n/gm)?.join('') ?? '';
  const body = sample.replaceAll(/^import .*\n/gm, '');
  return `${imports}${declared}export async function sample(): Promise<Response> {\n${body}}\n`;
}
