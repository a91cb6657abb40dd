import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { heapFlags } from '../bench/heap-flags.ts';

const root = resolve(import.meta.dirname, '..');
const folders = ['bin', 'src', 'sample', 'tools', 'sdk/src', 'examples'];
const sources = globSync(
  folders.map((folder) => `${folder}/**/*.ts`),
  { cwd: root },
).sort();
/** The sources, with the files of tests and benchmarks. */
const everyFile = [...sources, ...globSync('{test,bench}/**/*.ts', { cwd: root })];

/** The parts that each part may import beside itself: arrows point down. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: [
    'sample',
    'admin',
    'web',
    'agents',
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
    'agents',
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
  web: ['agents', 'members', 'lookup', 'data', 'contract', 'kernel'],
  agents: ['lookup', 'data', 'contract', 'kernel'],
  lookup: ['data', 'contract', 'kernel'],
  members: ['data', 'contract', 'kernel'],
  harvest: ['ingest', 'data', 'contract', 'kernel'],
  ingest: ['data', 'contract', 'kernel'],
  data: ['contract', 'kernel'],
  contract: [],
  kernel: ['contract'],
  sdk: [],
  examples: ['sdk'],
};

test('imports point down', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((to) => to !== 'package.json' && partOf(to) !== partOf(file))
      .filter((to) => !arrows[partOf(file)]!.includes(partOf(to)))
      .filter(() => !file.endsWith('.test.ts'))
      .map((to) => `${file} → ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test('the help loads the command line alone, and the members service loads no records', () => {
  const help = [...loadedWith('bin/program.ts'), ...loadedWith('bin/run-command.ts')];
  assert.deepEqual([...new Set(help.map(partOf))].sort(), ['bin', 'kernel', 'package.json']);
  const members = [...loadedWith('bin/serve.ts'), ...loadedWith('bin/serve-members.ts')];
  // Two exceptions: the operator sees the runs of collections, and the docs read the current store, if there is one.
  const foreignPath =
    /^(?:sample|src\/(?:harvest\/(?!runs\/)|ingest|data\/search|lookup\/(?!current-store)))/;
  assert.deepEqual(
    members.filter((file) => foreignPath.test(file)),
    [],
  );
});

test('no file imports itself, not even through others', () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file)]));
  const circles = sources
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => {
      const reached = new Set(imports.get(file));
      for (const each of reached) for (const to of imports.get(each) ?? []) reached.add(to);
      return reached.has(file);
    });
  assert.deepEqual(circles, []);
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

test('file names are kebab-case, and none is a word without meaning', () => {
  const emptyWord = /(^|-)(utils?|helpers?|common|shared|misc|managers?)(-|\.|$)/;
  const wrong = sources.filter((file) => {
    const names = file.split('/');
    return names.some((name) => !/^[a-z0-9.-]+$/.test(name) || emptyWord.test(name));
  });
  assert.deepEqual(wrong, []);
});

test('only settings read the environment, and only the log writes to the terminal', () => {
  const inServices = sources.filter(
    (file) => file.startsWith('src/') && !file.endsWith('.test.ts'),
  );
  const reading = inServices.filter((file) => /process\.env/.test(textOf(file)));
  assert.deepEqual(reading, []);
  const writing = inServices.filter((file) => /process\.std(out|err)|console\./.test(textOf(file)));
  assert.deepEqual(writing, ['src/kernel/log.ts']);
});

test('only the outbox of the client package uses Node', () => {
  const using = sources
    .filter((file) => file.startsWith('sdk/'))
    .filter((file) => /from 'node:|\bprocess\.|\bBuffer\b/.test(textOf(file)));
  assert.deepEqual(using, ['sdk/src/outbox.ts']);
});

test('all ways to start the program have the heap flags of the benchmarks', () => {
  for (const path of ['maru', 'bin/maru.js', 'package.json']) {
    const flags = textOf(path).match(/--(?:max-semi-space-size|heap-growing-percent)=\d+/g);
    assert.deepEqual(flags, heapFlags, path);
  }
});

test('a file is one idea: none has more than 400 lines', () => {
  const generated = ['sdk/src/contract.ts'];
  const code = sources.filter((file) => !file.endsWith('.test.ts') && !generated.includes(file));
  const long = code.filter((file) => textOf(file).split('\n').length > 400);
  assert.deepEqual(long, []);
});

test('no file exports a name of another file', () => {
  assert.deepEqual(
    sources.filter((file) => /^export (type )?(\{[^}]*\}|\*) from /m.test(textOf(file))),
    [],
  );
});

/** Folders with unused words that must stay: names in the published client script, and a column of the job store. */
const foldersWithFixedWords = ['sdk/src', 'src/web/sdk', 'test/sdk', 'src/harvest/runs'];

/** The last table of docs/glossary.md. Identifiers are read as the words that they are made of. */
const unusedWords = [
  /\bquestions?\b/g,
  // The key `asked` of a region's answer is the contract's word, and `ask` is the address of a guide.
  /\b(?:told|tells?|telling|sa(?:y|ys|id|ying)|asks?(?!', 'guide')|asked(?!:)|asking)\b/g,
  /\b(?:doors?|deeds?|almanacs?|shelf|shelves|dice)\b/g,
  /\b(?:answer books?|kept answers?|trend books?)\b/g,
  /\b(?:nobody|somebody|anybody|whoever|a person|of before|of now)\b/g,
  /\bhold (?:axis|axes|file|files|sample)\b/g,
  /\b(?:type|interface|class) (?:came|told|kept|asked|struck|settled|taken|known|placed|measured|attempted|exchanged|asking|taking|reading)\b/g,
];

test('no file uses a word that the glossary replaces', () => {
  const found = everyFile
    .filter((file) => !isIn(file, foldersWithFixedWords) && file !== 'test/architecture.test.ts')
    .flatMap((file) => {
      const words = textOf(file)
        .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
        .toLowerCase();
      const unused = unusedWords.flatMap((word) => words.match(word) ?? []);
      return [...new Set(unused)].map((word) => `${file}: ${word}`);
    });
  assert.deepEqual(found, []);
});

test('a comment begins by naming its subject', () => {
  const clause =
    /(?:\/\*\*\s+(?:\* )?|(?<!\/\/.*\n *)\/\/ )(?:What|Whether|Of|Where|Who|Which|How)\b.*/g;
  const found = everyFile.flatMap((file) =>
    (textOf(file).match(clause) ?? []).map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(found, []);
});

test('a test title has at most 90 characters', () => {
  const titles = /\btest\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const found = everyFile
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) =>
      Array.from(textOf(file).matchAll(titles), ([, , title]) => title!)
        .filter((title) => title.length > 90)
        .map((title) => `${file}: ${title}`),
    );
  assert.deepEqual(found, []);
});

test('an exported name is imported by another file, or the package exports its file', () => {
  const uses = new Set(everyFile.flatMap(namesImportedBy));
  const entries = packageEntries();
  const found = sources
    .filter((file) => !entries.has(file))
    .flatMap((file) => namesExportedBy(file).map((name) => `${file}: ${name}`))
    .filter((name) => !uses.has(name));
  assert.deepEqual(found, []);
});

function namesExportedBy(file: string): string[] {
  const declaration =
    /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  return Array.from(textOf(file).matchAll(declaration), ([, name]) => name!);
}

/** The names that a file imports, as `file: name`. A module imported as a whole gives the names that the file mentions. */
function namesImportedBy(file: string): string[] {
  const text = textOf(file);
  const named = Array.from(
    text.matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g),
    ([, names, path]) => {
      const [from] = pathsIn(file, [['', path!]]);
      return names!.split(',').map((name) => {
        const [importedName] = name
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        return `${from}: ${importedName}`;
      });
    },
  );
  const whole = pathsIn(file, text.matchAll(/(?:import\(\s*|import \* as \w+ from )'(\.[^']+)'/g))
    .filter((from) => from.endsWith('.ts'))
    .map((from) => {
      const names = namesExportedBy(from).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      return names.map((name) => `${from}: ${name}`);
    });
  return [...named, ...whole].flat();
}

/** The files that a user of the client package may import, and the generated contract that they are typed with. */
function packageEntries(): ReadonlySet<string> {
  const { exports } = JSON.parse(textOf('sdk/package.json')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const paths = JSON.stringify(exports).matchAll(/"\.\/(src\/[^"]+\.ts)"/g);
  return new Set(['sdk/src/contract.ts', ...Array.from(paths, ([, path]) => `sdk/${path}`)]);
}

function isIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

/** `src/data/axis.ts` is in `data`, `bin/load.ts` in `bin`. */
function partOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'src' ? basename(second!, '.ts') : first!;
}

function importsOf(file: string): string[] {
  return pathsIn(file, textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g));
}

/** A file and all files that are loaded with it: its static imports and theirs, without imports of types. */
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

function pathsIn(file: string, found: Iterable<readonly string[]>): string[] {
  return Array.from(found, ([, path]) => relative(root, resolve(root, dirname(file), path!)));
}
