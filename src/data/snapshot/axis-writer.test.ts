import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { AxisWriter } from './axis-writer.ts';
import { fileNames } from './layout.ts';

test('an axis written with pauses has the same files as one written without, and no others', () => {
  const [unpaused, paused] = [writeAxis(false), writeAxis(true)];
  assert.deepEqual(paused.names, unpaused.names);
  assert.deepEqual(paused.names, paused.listed);
  for (const name of [fileNames.columns, fileNames.search, fileNames.records] as const) {
    assert.deepEqual(paused.files.get(name), unpaused.files.get(name));
  }
});

function writeAxis(isPaused: boolean) {
  using folder = temporaryFolder();
  using writer = new AxisWriter(
    folder.path,
    testFields.map(({ name }) => name),
  );
  for (let row = 0; row < 300; row++) {
    writer.add([`이름 ${row % 40}`, row % 3 === 0 ? null : `비고 ${row}`], row % 50 === 49);
    if (isPaused && row % 70 === 0) writer.pause();
  }
  const { files } = writer.finish(testAxis('file_1'), testFields, { joinRegion: null });
  const names = readdirSync(folder.path).sort();
  return {
    names,
    listed: Object.keys(files).sort(),
    files: new Map(names.map((name) => [name, readFileSync(join(folder.path, name))])),
  };
}
