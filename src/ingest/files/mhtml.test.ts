import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { pagesOfMhtml } from './mhtml.ts';

function partOf(transfer: string, body: string): string {
  return `--=_part\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${transfer}\r\n\r\n${body}\r\n`;
}

async function read(parts: readonly string[]) {
  using folder = temporaryFolder();
  const path = join(folder.path, '급여대장.xls');
  const head = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="=_part"\r\n\r\n';
  writeFileSync(path, `${head}${parts.join('')}--=_part--\r\n`);
  const { tables } = await readWhole(path);
  return tables.map(({ format, columns, rows }) => [format, columns.join(), rows.map(String)]);
}

const page =
  '<html><table><tr><td>이름</td><td>금액</td></tr><tr><td>가람</td><td>007</td></tr></table>';

test('the tables of a web archive named .xls are read, in each encoding of its parts', async () => {
  const base64 = Buffer.from(page).toString('base64').replace(/.{76}/gu, '$&\r\n');
  const quoted = [...Buffer.from(page)]
    .map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
    .replace(/.{72}/gu, '$&=\r\n');
  for (const part of [
    partOf('base64', base64),
    partOf('quoted-printable', quoted),
    partOf('8bit', page),
  ]) {
    assert.deepEqual(await read([part]), [['html', '이름,금액', ['가람,007']]]);
  }
});

test('a web archive without a table is refused', async () => {
  await assert.rejects(read([partOf('8bit', '<html><p>안내</p>')]), { code: 'not_a_table' });
});

test('a part of a web archive that is a million blanks is read in linear time', () => {
  const archive = `MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n--b${' '.repeat(1e6)}x`;
  assert.deepEqual(pagesOfMhtml(archive), []);
});
