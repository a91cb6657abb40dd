import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CFB } from '@e965/xlsx';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import { FileRefused } from './refused.ts';

/** An OLE file with one stream, as Hangul and Word write them. */
function oleOf(stream: string, content: string): Buffer {
  // The library has no types for its container format.
  const library = CFB as {
    utils: { cfb_new(): unknown; cfb_add(file: unknown, name: string, content: Buffer): void };
    write(file: unknown, options: { type: 'buffer' }): Buffer;
  };
  const file = library.utils.cfb_new();
  library.utils.cfb_add(file, stream, Buffer.from(content));
  return Buffer.from(library.write(file, { type: 'buffer' }));
}

const hwp = oleOf('/FileHeader', 'HWP Document File'.padEnd(256, '\0'));
const hwpx = zipOf([
  { name: 'mimetype', content: 'application/hwp+zip' },
  { name: 'Contents/content.hpf', content: '<opf:package/>' },
]);
const documents: readonly (readonly [name: string, bytes: Buffer, kind: RegExp])[] = [
  ['현황.hwp', hwp, /a Hangul document \(HWP\)/u],
  ['옛현황.hwp', Buffer.from('HWP Document File V3.00 \x1a\x01\x02'), /a Hangul document \(HWP\)/u],
  ['현황.hwpx', hwpx, /a Hangul document \(HWPX\)/u],
  ['현황.pdf', Buffer.from('%PDF-1.7\n...'), /a PDF document/u],
  ['현황.doc', oleOf('/WordDocument', 'text'), /a Word document \(DOC\)/u],
  [
    '현황.docx',
    zipOf([{ name: 'word/document.xml', content: '<a/>' }]),
    /a Word document \(DOCX\)/u,
  ],
];

async function refusalOf(name: string, bytes: Buffer): Promise<FileRefused> {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  const refusal: unknown = await readWhole(path).catch((error: unknown) => error);
  assert.ok(refusal instanceof FileRefused, String(refusal));
  return refusal;
}

for (const [name, bytes, kind] of documents) {
  test(`a document ${name} is refused by its format, with advice in both languages`, async () => {
    const { code, message, text } = await refusalOf(name, bytes);
    assert.equal(code, 'document');
    assert.match(message, kind);
    assert.match(message, /look on the portal for a CSV or XLSX file/u);
    assert.match(text.ko, /포털에서 같은 데이터셋의 CSV나 XLSX 파일을 찾거나/u);
  });
}

test('an archive of documents is refused with their names and the same advice', async () => {
  const members = [
    { name: '가.hwp', content: hwp },
    { name: '나.hwpx', content: hwpx },
    { name: '다.pdf', content: '%PDF-1.7' },
    { name: '__MACOSX/._다.pdf', content: 'junk' },
  ];
  const { code, message } = await refusalOf('a.zip', zipOf(members));
  assert.equal(code, 'document');
  assert.match(
    message,
    /documents and no data \(가\.hwp, 나\.hwpx, 다\.pdf\); look on the portal/u,
  );
});
