import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import sdkPackage from '../../sdk/package.json' with { type: 'json' };
import { temporaryFolder } from '../temporary-folder.ts';
import { openService } from './rig.ts';

const root = resolve(import.meta.dirname, '../..');
const entries = Object.values(sdkPackage.exports)
  .map((paths) => basename(paths.default, '.js'))
  // Types only.
  .filter((entry) => entry !== 'contract');

for (const entry of entries) {
  const text = readFileSync(join(root, `sdk/src/${entry}.ts`), 'utf8');
  const documented = [
    ...text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*export (?:function|class|const) (\w+)/gs),
  ];
  const exported = [...text.matchAll(/^export (?:function|class|const) (\w+)/gm)];

  test(`every export of ${entry} has an example, which runs and prints its documented output`, async () => {
    assert.equal(documented.length, exported.length);
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const folder = stack.use(temporaryFolder());
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    for (const [, comment, name] of documented) {
      const lines = comment!.split('@example\n')[1]?.split('\n') ?? [];
      const example = lines.map((line) => line.replace(/^ \* ?/, '')).join('\n');
      assert.notEqual(example.trim(), '', name);
      const prelude = `const membersUrl = '${service.address}';\nconst apiKey = '${service.keys.books}';\n`;
      writeFileSync(join(folder.path, 'example.ts'), prelude + withPaths(example));
      const run = promisify(execFile);
      const { stdout, stderr } = await run(process.execPath, ['example.ts'], { cwd: folder.path });
      const expectedLines = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(
        ([, words]) => words,
      );
      assert.equal(stdout, expectedLines.map((words) => `${words}\n`).join(''), name);
      assert.equal(stderr, '', name);
    }
  });
}

/** Replaces package names by paths of the sources, because the package is not installed here. */
function withPaths(example: string): string {
  return example
    .replaceAll(`'@maru/sdk'`, `'${root}/sdk/src/svc.ts'`)
    .replaceAll(/'@maru\/sdk\/([\w-]+)'/g, `'${root}/sdk/src/$1.ts'`);
}
