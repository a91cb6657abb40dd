import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAttachment, readDatasetPage, readHistory } from './dataset-page.ts';
import { readSwagger } from './paged-table.ts';

const button = `<a onclick="fileDetailObj.fn_fileDataDown('15000001', 'uddi:new', '', '1', 'CSV')">다운로드</a>`;
const field = '<input id="publicDataDetailPk" name="publicDataDetailPk" value="uddi:new">';

test('the newest version is read from a page’s form or button, with its update cycle', () => {
  const rows =
    '<tr><th>업데이트 주기</th><td> 연간 </td></tr><tr><th>제공기관</th><td>A&amp;B</td></tr>';
  for (const found of [button, `${field}${button}`]) {
    assert.deepEqual(readDatasetPage(page(`${rows}${found}`)), {
      detailKey: 'uddi:new',
      provider: 'A&B',
      cycle: '연간',
      license: null,
    });
  }
});

test('a page without a file is a fault with its reason', () => {
  assert.equal(codeOf(readDatasetPage(page('<tr><th> URL </th><td>…</td></tr>'))), 'agency_hosted');
  assert.equal(codeOf(readDatasetPage(page('아무것도'))), 'no_file');
  assert.equal(codeOf(readDatasetPage(page(button).slice(0, -9))), 'html_broken');
  assert.equal(codeOf(readDatasetPage('<html>존재하지 않는 데이터입니다.</html>')), 'no_file');
  assert.equal(codeOf(readDatasetPage('<html>시스템 점검 중입니다.</html>')), 'maintenance');
  assert.equal(codeOf(readDatasetPage('<html>로그인 후 이용</html>')), 'restricted');
});

test('an attachment is read from every form of the portal’s response', () => {
  const answer = {
    status: true,
    atchFileId: 'FILE_000000000000001',
    fileDetailSn: 2,
    fileDataRegistVO: { dataNm: '현황', atchFileExtsn: 'CSV', atchFileCo: '1,234' },
    dataSetFileDetailInfo: { dataNm: '현황_20260831' },
  };
  assert.deepEqual(readAttachment(JSON.stringify(answer)), {
    id: 'FILE_000000000000001',
    serial: '2',
    title: '현황_20260831',
    extension: 'csv',
    rows: 1_234,
  });
  const odd = { ...answer, fileDataRegistVO: { atchFileExtsn: '../x', atchFileCo: '-' } };
  const read = readAttachment(JSON.stringify({ ...odd, dataSetFileDetailInfo: null }));
  assert.deepEqual(read, { ...read, title: '', extension: 'csv', rows: null });
  assert.equal(codeOf(readAttachment('{"status":false}')), 'no_file');
  assert.equal(codeOf(readAttachment('{"status":true}')), 'not_data');
  assert.equal(codeOf(readAttachment('{"header":{"resultCode":"99"}}')), 'not_data');
  assert.equal(codeOf(readAttachment('<html></html>')), 'html');
});

test('a history is read with all of its versions', () => {
  const html = `<div id="tab-layer-file-05"><ul>${item('uddi:a')}${item('uddi:b')}</ul></div>\n`;
  assert.deepEqual(readHistory(html), {
    versions: [
      { detailKey: 'uddi:a', title: '현황_2025' },
      { detailKey: 'uddi:b', title: '현황_2025' },
    ],
  });
  assert.equal(codeOf(readHistory(html.slice(0, -4))), 'html_broken');
  assert.equal(codeOf(readHistory('<html></html>')), 'html_broken');
});

test('a Swagger document has one table for each version, with its date and its columns', () => {
  const swagger = {
    paths: {
      '/1/v1/uddi:a': { get: { summary: '현황_20250831' } },
      '/1/v1/uddi:b_202608310000': { get: { summary: '현황_20260831' } },
      '/2/v1/uddi:c': { get: { summary: '남의 것' } },
    },
    definitions: { 'uddi:a_model': { properties: { 이름: {}, '값(원)': {} } } },
  };
  const found = readSwagger(JSON.stringify(swagger), '1');
  assert.ok('tables' in found);
  assert.deepEqual(
    found.tables.map(({ path, date, columns }) => [path, date, columns]),
    [
      ['api.odcloud.kr/api/1/v1/uddi:a', '2025-08-31', ['이름', '값(원)']],
      ['api.odcloud.kr/api/1/v1/uddi:b_202608310000', '2026-08-31', []],
    ],
  );
  assert.equal(codeOf(readSwagger('{"code":-3,"msg":"등록되지 않은 서비스"}', '1')), 'no_file');
  assert.equal(codeOf(readSwagger('{"paths":{}}', '1')), 'no_file');
  assert.equal(codeOf(readSwagger('<html>', '1')), 'not_data');
});

function page(body: string): string {
  return `<!DOCTYPE html><html><input id="publicDataPk" value="15000001">${body}</html>\n`;
}

function item(key: string): string {
  return `<li data-public-pk="${key}" data-public-detail-sn="1">현황_2025 </li>`;
}

function codeOf(read: object): unknown {
  return 'code' in read ? read.code : null;
}
