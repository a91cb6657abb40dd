import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildCatalog, testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { datasetLimits } from './limits.ts';
import { chooseFromCatalog, readCodeList, readCodes } from './selection.ts';

test('a repeated code or number of a list counts once, and comments are ignored', () => {
  const text = '\uFEFF# 주차장\r\n15012896  # 전국\nfile_15013109\n\n gen_restdeinfo\r15012896\n';
  assert.deepEqual(readCodes(text, 'list'), ['file_15012896', 'file_15013109', 'gen_restdeinfo']);
});

test('a line that is not a code, or has over 12 digits, is refused with the line number', () => {
  assert.throws(() => readCodes('1\n../etc', 'list'), /Line 2 of list .*“\.\.\/etc”/);
  assert.throws(() => readCodes('1234567890123', 'list'), /Line 1/);
  assert.deepEqual(readCodes('123456789012', 'list'), ['file_123456789012']);
});

test('a list may have as many codes as the bound; one more is refused', () => {
  const numbers = Array.from({ length: datasetLimits.listCodesMax }, (_, at) => String(at + 1));
  assert.equal(readCodes(numbers.join('\n'), 'list').length, numbers.length);
  assert.throws(
    () => readCodes([...numbers, '99999999'].join('\n'), 'list'),
    /longer than 10000 codes/,
  );
});

test('a list file with more bytes than the bound is refused, and so is a missing one', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'list');
  writeFileSync(path, '15012896\n'.padEnd(datasetLimits.listBytesMax, ' '));
  assert.deepEqual(readCodeList(path), ['file_15012896']);
  writeFileSync(path, '15012896\n'.padEnd(datasetLimits.listBytesMax + 1, ' '));
  assert.throws(() => readCodeList(path), /longer than/);
  assert.throws(() => readCodeList(join(folder.path, 'none')), /There is no list/);
});

test('a query may match as many entries as the bound; one more is refused', () => {
  using folder = temporaryFolder();
  const entriesMax = datasetLimits.catalogEntriesMax;
  const entries = Array.from({ length: entriesMax + 1 }, (_, at) =>
    testEntry({
      type: 'FILE',
      portalId: String(at + 1),
      title: at === entriesMax ? '주차장 별관' : '주차장',
    }),
  );
  buildCatalog(folder.path, entries);
  assert.throws(() => chooseFromCatalog(folder.path, '주차장', null), /5001 FILE entries match/);
  assert.equal(chooseFromCatalog(folder.path, '주차장', entriesMax).entries.length, entriesMax);
  assert.equal(chooseFromCatalog(folder.path, '별관', null).total, 1);
  assert.throws(() => chooseFromCatalog(folder.path, ' ', null), /no word/);
  buildCatalog(folder.path, entries.slice(0, entriesMax));
  assert.equal(chooseFromCatalog(folder.path, '주차장', null).entries.length, entriesMax);
});

test('a query without a catalog is refused with the command that collects one', () => {
  using folder = temporaryFolder();
  assert.throws(() => chooseFromCatalog(folder.path, '주차장', null), /No catalog is stored/);
});
