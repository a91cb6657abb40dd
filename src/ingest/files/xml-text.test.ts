import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { readWhole } from '../../../test/read-whole.ts';

async function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xml');
  writeFileSync(path, text);
  const { tables } = await readWhole(path);
  return { columns: tables[0]?.columns, rows: tables[0]?.rows };
}

test('the text of a record beside its attributes or elements is a column', async () => {
  const regions = '<region code="11">서울</region>\n<region code="26"> 부산 </region>';
  assert.deepEqual(await read(`<list>${regions}</list>`), {
    columns: ['code', 'region'],
    rows: [
      ['11', '서울'],
      ['26', '부산'],
    ],
  });
  assert.deepEqual(await read('<r><row><a>1</a>비고</row><row><a>2</a></row></r>'), {
    columns: ['a', 'row'],
    rows: [
      ['1', '비고'],
      ['2', null],
    ],
  });
});

test('records without a text of their own have no column for it', async () => {
  assert.deepEqual(await read('<r>\n<row>\n<a>1</a>\n</row>\n<row>\n<a>2</a>\n</row>\n</r>'), {
    columns: ['a'],
    rows: [['1'], ['2']],
  });
});
