import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileDatasets } from '../../../sample/files/datasets.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sniffFile } from './sniff.ts';

const page = (sentence: string): string => `<!DOCTYPE html><html><body>${sentence}</body></html>`;

test('an error page in place of a file is a fault', () => {
  const cases: readonly (readonly [content: string, extension: string, code: string | null])[] = [
    ['', 'csv', 'empty_body'],
    [page('로그인 후 이용해 주시기 바랍니다.'), 'csv', 'restricted'],
    [page('로그인 후 이용해 주시기 바랍니다.'), 'xls', 'restricted'],
    [page('시스템 점검 중입니다.'), 'xlsx', 'maintenance'],
    [page('파일이 존재하지 않습니다.'), 'csv', 'no_file'],
    [page('무엇인가'), 'csv', 'html'],
    [page('<table><tr><td>값</td></tr></table>'), 'xls', null],
    ['Unexpected errors', 'csv', 'unexpected'],
    [gatewayError, 'csv', '05'],
    [gatewayError, 'xml', '05'],
    ['{"header":{"resultCode":"99","resultMsg":"UNKNOWN_ERROR."}}', 'json', '99'],
    ['이름,값\n하나,1\n', 'csv', null],
    ['{"records":[{"이름":"하나"}]}', 'json', null],
  ];
  for (const [content, extension, code] of cases) {
    assert.equal(sniffed(content, extension).fault?.code ?? null, code, content);
  }
});

test('a file that contradicts its name or is cut off is odd', () => {
  const cases: readonly (readonly [content: string | Buffer, extension: string, isOdd: boolean])[] =
    [
      ['이름,값\n하나,1\n', 'csv', false],
      ['이름,값\n하나,1', 'csv', true],
      ['<records><record/></records>\n', 'xml', false],
      ['<records><record/></rec', 'xml', true],
      ['<records><record/></records>', 'csv', true],
      ['PK\x03\x04 … PK\x05\x06 …', 'zip', false],
      ['PK\x03\x04 … PK\x05\x06 …', 'csv', true],
      ['PK\x03\x04 …', 'xlsx', true],
    ];
  for (const [content, extension, isOdd] of cases) {
    const found = sniffed(content, extension);
    assert.deepEqual(found, { fault: null, isOdd }, `${content.toString()} ${extension}`);
  }
});

test('no file of the sample portal is taken for a fault', () => {
  for (const { number, extension, access, versions } of fileDatasets(1)) {
    if (access !== 'portal') continue;
    assert.equal(sniffed(versions[0]!.bytes(), extension).fault, null, number);
  }
});

const gatewayError =
  '<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>' +
  '<returnAuthMsg>SERVICETIMEOUT_ERROR</returnAuthMsg><returnReasonCode>05</returnReasonCode>' +
  '</cmmMsgHeader></OpenAPI_ServiceResponse>';

function sniffed(content: string | Buffer, extension: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'part');
  writeFileSync(path, content);
  return sniffFile(path, extension);
}
