import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWebPage } from './web-page.ts';

function pageOf(items: string, { total = '1,234', hidden = '' } = {}): string {
  return `<!DOCTYPE html>\n<html><body>${hidden}<h3>연계 <strong>총 ${total}건</strong></h3>\n${items}</body></html>\n`;
}

const currentMarkup = `<div class="data-list-group"><div class="apply-result-item"><div class="apply-result-link"><span class="tagset csv">CSV</span><span class="tagset">XLSX</span>
<a href="/data/59216620/linkedData.do" class="x"><span class="title">가온시 &amp; 나래시 그늘막</span></a></div>
<dd class="desc">그늘막의 자리.<br>둘째 줄</dd>
<p><strong>제공기관</strong> <span>경상남도 가온시</span></p><p><strong>수정일</strong><span>2026-08-01</span></p>
<p><strong>조회수</strong> <span>1,024</span></p><p><strong>다운로드</strong> <span></span></p><p><strong>키워드 그늘막,폭염</p></div>
<div class="apply-result-item"><a href="/data/33643/linkedData.do">둘째 자료</a><p><strong>키워드</strong> : <span>바람</span></p></div></div>`;

test('an item is read with badges, text and facts, whatever the markup of keywords', () => {
  const page = readWebPage(pageOf(currentMarkup), 'LINKED');
  assert.equal(page?.total, 1234);
  assert.deepEqual(page.items, [
    {
      number: '59216620',
      type: 'LINKED',
      title: '가온시 & 나래시 그늘막',
      formats: 'CSV,XLSX',
      description: '그늘막의 자리. 둘째 줄',
      provider: '경상남도 가온시',
      modified: '2026-08-01',
      views: '1,024',
      requests: '',
      keywords: '그늘막,폭염',
    },
    { number: '33643', type: 'LINKED', title: '둘째 자료', formats: '', keywords: '바람' },
  ]);
});

test('former markup and absolute links are read, and other types are ignored', () => {
  const formerMarkup = `<ul id="fileDataList"><li><a href="https://www.data.go.kr/data/7/linkedData.do?x=1">하나</a></li>
<li><a href="/data/8/fileData.do">파일</a></li><li><span class="tagset">PDF</span><a href="/data/9/linkedData.do">둘</a></li></ul>`;
  const page = readWebPage(pageOf(formerMarkup, { total: '2' }), 'LINKED');
  assert.deepEqual(
    page?.items.map(({ number, title, formats }) => [number, title, formats]),
    [
      ['7', '하나', ''],
      ['9', '둘', 'PDF'],
    ],
  );
});

test('the facts of a page are read in any order of attributes', () => {
  const hidden =
    '<input value="3" name="currentPage" type="hidden"><input id="perPage" value="40">';
  const page = readWebPage(pageOf('', { total: '0', hidden }), 'LINKED');
  assert.deepEqual([page?.page, page?.size, page?.total], [3, 40, 0]);
  assert.deepEqual(page?.items, []);
});

test('a maintenance page, an error and a page that is cut off are not read as a list', () => {
  const whole = pageOf(currentMarkup);
  assert.equal(readWebPage('<html><body>시스템 점검 중입니다.</body></html>', 'LINKED'), null);
  assert.equal(readWebPage('<OpenAPI_ServiceResponse/>', 'LINKED'), null);
  for (let length = 0; length < whole.trimEnd().length; length += 7) {
    assert.equal(readWebPage(whole.slice(0, length), 'LINKED'), null);
  }
});

test('hostile markup is read in linear time', () => {
  const hostile = ['<a href="/data/1', '<li', '<', '키워드 ', '총 '].map((piece) =>
    piece.repeat(200_000),
  );
  for (const text of hostile) readWebPage(pageOf(text), 'LINKED');
});

test('a page of open tags is read in linear time, and one of millions of letters is refused', () => {
  for (const unit of ['<input ', 'class="desc '])
    assert.equal(readWebPage(pageWith(unit.repeat(40_000)), 'FILE')?.total, 1, unit);
  assert.equal(readWebPage(pageWith(' '.repeat(2e6)), 'FILE'), null);
});

function pageWith(content: string): string {
  return `총 1 건<a href="/data/1/fileData.do">x</a>${content}</html>`;
}
