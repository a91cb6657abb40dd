import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAxis } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { addMissingFiles } from './add-missing-files.ts';
import { SnapshotBuilder } from './builder.ts';
import { axisFolder, fileNames, hasColumns, type Manifest } from './layout.ts';
import { readManifest, snapshotFolder } from './snapshots.ts';
import { verifyFolder } from './verify.ts';

test('columns added to an axis that was written without them equal those of its import', async () => {
  using data = temporaryFolder();
  const rows = Array.from({ length: 300 }, (_, i) => [
    `이름 ${i % 7}`,
    i % 3 === 0 ? null : `${i}`,
  ]);
  const id = buildAxis(data.path, 'file_1', rows, ([name]) =>
    name === '이름 1'
      ? { codes: ['41', '41110', '41111'], basis: 'address' }
      : name === '이름 2'
        ? { codes: ['12', '29', '12210'], basis: 'field' }
        : null,
  );
  const path = `${axisFolder('file_1')}/${fileNames.columns}`;
  const written = readFileSync(join(snapshotFolder(data.path, id), path));
  removeColumns(data.path, id, path);
  assert.equal(hasColumns(readManifest(data.path, id)), false);

  using builder = new SnapshotBuilder(data.path);
  await addMissingFiles(builder);
  const upgraded = builder.publish('Upgraded.');
  const manifest = readManifest(data.path, upgraded);
  const folder = snapshotFolder(data.path, upgraded);
  assert.equal(hasColumns(manifest), true);
  assert.deepEqual(readFileSync(join(folder, path)), written);
  verifyFolder(folder, manifest, { hashes: true });
});

/** Removes the columns of an axis, as in a snapshot of an earlier version. */
function removeColumns(data: string, id: string, path: string): void {
  const folder = snapshotFolder(data, id);
  const manifest = readManifest(data, id) as { -readonly [Key in keyof Manifest]: Manifest[Key] };
  const { [path]: _, ...files } = manifest.files;
  rmSync(join(folder, path));
  writeFileSync(join(folder, fileNames.manifest), JSON.stringify({ ...manifest, files }));
}
