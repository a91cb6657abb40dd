import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const folders = ['bin', 'src', 'sample', 'tools', 'sdk/src', 'examples'];
const sources = globSync(
  folders.map((folder) => `${folder}/**/*.ts`),
  { cwd: root },
).sort();

/** What each part may import beside itself: arrows point down. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: [
    'sample',
    'admin',
    'web',
    'members',
    'lookup',
    'harvest',
    'ingest',
    'data',
    'contract',
    'kernel',
  ],
  tools: [
    'bin',
    'sample',
    'admin',
    'web',
    'members',
    'lookup',
    'harvest',
    'ingest',
    'data',
    'contract',
    'kernel',
    'sdk',
  ],
  sample: ['data', 'contract', 'kernel'],
  admin: ['web', 'members', 'lookup', 'data', 'contract', 'kernel'],
  web: ['members', 'lookup', 'data', 'contract', 'kernel'],
  lookup: ['data', 'contract', 'kernel'],
  members: ['data', 'contract', 'kernel'],
  harvest: ['ingest', 'data', 'contract', 'kernel'],
  ingest: ['data', 'contract', 'kernel'],
  data: ['contract', 'kernel'],
  contract: ['kernel'],
  kernel: [],
  sdk: [],
  examples: ['sdk'],
};

test('imports point down: bin → admin → web → members, lookup; harvest → ingest → data → contract, kernel under all', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((to) => to !== 'package.json' && partOf(to) !== partOf(file))
      .filter((to) => !arrows[partOf(file)]!.includes(partOf(to)))
      .filter(() => !file.endsWith('.test.ts'))
      .map((to) => `${file} → ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test('a command loads no more than it needs: the help nothing but the command line, serving members no records', () => {
  const partsOf = (file: string) => [...new Set([...loadedWith(file)].map(partOf))].sort();
  assert.deepEqual(partsOf('bin/maru.ts'), ['bin', 'kernel', 'package.json']);
  const members = [...loadedWith('bin/serve.ts'), ...loadedWith('bin/serve-members.ts')];
  // The operator sees the last collections, and the docs a store where one is held.
  const foreign =
    /^(?:sample|src\/(?:harvest\/(?!runs\/)|ingest|data\/search|lookup\/(?!current-store)))/;
  assert.deepEqual(
    members.filter((file) => foreign.test(file)),
    [],
  );
});

test('every part of the tree has its row in the table of arrows', () => {
  assert.deepEqual(
    [...new Set(sources.map(partOf))].filter((part) => !(part in arrows)),
    [],
  );
});

test('folders are three levels deep at the most', () => {
  assert.deepEqual(
    sources.filter((file) => dirname(file).split('/').length > 3),
    [],
  );
});

test('names are kebab-case and none says nothing', () => {
  const nothing = /(^|-)(utils?|helpers?|common|shared|misc|managers?)(-|\.|$)/;
  const wrong = sources.filter((file) => {
    const names = file.split('/');
    return names.some((name) => !/^[a-z0-9.-]+$/.test(name) || nothing.test(name));
  });
  assert.deepEqual(wrong, []);
});

test('only the settings read the environment, and only the log and the command line write to the terminal', () => {
  const inServices = sources.filter(
    (file) => file.startsWith('src/') && !file.endsWith('.test.ts'),
  );
  const reading = inServices.filter((file) => /process\.env/.test(textOf(file)));
  assert.deepEqual(reading, []);
  const writing = inServices.filter((file) => /process\.std(out|err)|console\./.test(textOf(file)));
  assert.deepEqual(writing, ['src/kernel/log.ts']);
});

test('the client package uses nothing of Node but in its outbox', () => {
  const using = sources
    .filter((file) => file.startsWith('sdk/'))
    .filter((file) => /from 'node:|\bprocess\.|\bBuffer\b/.test(textOf(file)));
  assert.deepEqual(using, ['sdk/src/outbox.ts']);
});

test('a file is one idea: none has more than 400 lines', () => {
  const generated = ['sdk/src/contract.ts'];
  const code = sources.filter((file) => !file.endsWith('.test.ts') && !generated.includes(file));
  const long = code.filter((file) => textOf(file).split('\n').length > 400);
  assert.deepEqual(long, []);
});

test('no file exports what it did not make', () => {
  assert.deepEqual(
    sources.filter((file) => /^export (type )?(\{[^}]*\}|\*) from /m.test(textOf(file))),
    [],
  );
});

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** `src/data/axis.ts` is in `data`, `bin/load.ts` in `bin`. */
function partOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'src' ? basename(second!, '.ts') : first!;
}

function importsOf(file: string): string[] {
  return pathsIn(file, textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g));
}

/** The files that are there as soon as one is: what it imports, not what it imports when it is asked to, and so on. */
function loadedWith(file: string, loaded = new Set([file])): ReadonlySet<string> {
  if (!file.endsWith('.ts')) return loaded;
  const imports = textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm);
  for (const to of pathsIn(file, imports)) {
    if (loaded.has(to)) continue;
    loaded.add(to);
    loadedWith(to, loaded);
  }
  return loaded;
}

function pathsIn(file: string, found: Iterable<RegExpMatchArray>): string[] {
  return Array.from(found, ([, path]) => relative(root, resolve(root, dirname(file), path!)));
}
