import assert from 'node:assert/strict';
import test from 'node:test';
import { limits } from './limits.ts';
import { compress } from './compression.ts';
import { codings } from './preferences.ts';

test('a compressed body takes no more memory than its own bytes', async () => {
  for (const coding of codings) {
    for (const length of [limits.compressBytesMin, limits.compressNowBytesMax + 1]) {
      const compressed = await compress(Buffer.alloc(length, '가나다 '), coding);
      assert.equal(compressed.buffer.byteLength, compressed.length, `${coding} ${length}`);
    }
  }
});
