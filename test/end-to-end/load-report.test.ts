import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localeLanguage } from '../../bin/language.ts';
import { LoadReporter } from '../../bin/load-report.ts';
import { findingTitles } from '../../src/ingest/files/finding-titles.ts';
import { loadFiles, type LoadReport } from '../../src/ingest/load/load.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Loads small files and returns the report, also as text in both languages. */
async function report(files: Readonly<Record<string, string>>, sheet?: string) {
  using folder = temporaryFolder();
  const source = join(folder.path, 'files');
  mkdirSync(source);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
  const options = sheet === undefined ? {} : { sheet };
  const loaded = await loadFiles(join(folder.path, 'var'), [source], options);
  return { loaded, en: reportText(loaded, 'en'), ko: reportText(loaded, 'ko') };
}

function reportText(loaded: LoadReport, language: 'ko' | 'en'): string {
  const reporter = new LoadReporter(language);
  return [
    ...loaded.axes.map((axis) => reporter.axisLine(axis)),
    ...loaded.notHeld.map((file) => reporter.skippedLine(file)),
    ...reporter.lines(loaded),
  ].join('\n');
}

const rows = Array.from({ length: 60 }, (_, at) => `가${at},${at}`);

test('a report joins equal findings on a line, with their rows and the number of the others', async () => {
  const { loaded, en, ko } = await report({
    'file_15099001_현황.csv': ['이름,값', ...rows.flatMap((row) => [row, ''])].join('\n'),
  });
  assert.match(en, /^file_15099001 {2}row_blank: 59 blank rows$/m);
  assert.match(
    en,
    /^ {2}file_15099001_현황\.csv row 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 …: The row is blank\.$/m,
  );
  assert.match(en, /^ {2}and 49 more \(--json lists all\)$/m);
  assert.equal(en.match(/The row is blank/g)?.length, 1);
  assert.match(ko, /^file_15099001 {2}row_blank: 빈 행 59건$/m);
  assert.match(ko, /^ {2}외 49건 \(--json으로 모두 볼 수 있습니다\)$/m);
  assert.equal(loaded.axes[0]!.findings[0]!.examples.length, 59, 'JSON has every finding.');
});

test('a report names a column without a name, and a header that was not found', async () => {
  const { en, ko } = await report({
    'file_15099001_현황.csv': '이름,,값,값\n가,x,1,2\n나,y,3,4\n',
    'file_15099002_측정.csv': '1,2.5\n3,4.5\n5,6.5\n',
  });
  assert.match(en, /Column 2 has no name; it is called 열2\./);
  assert.match(en, /Column 4 has the name of another one; it is called 값_2\./);
  assert.match(en, /No header row was found; the columns are called 열1 to 열2\./);
  assert.match(ko, /2번째 열: 이름이 없어 ‘열2’ 이름을 붙였습니다\./);
});

test('day zero of a spreadsheet and a far future are reported with row and value', async () => {
  const days = [...rows.map((row) => `${row},2024-01-02`), '나,1,1899-12-30', '다,2,2205-11-23'];
  const { en } = await report({
    'file_15099001_현황.csv': ['이름,값,등록일', ...days, '라,3,9999-12-31'].join('\n'),
  });
  assert.match(en, /date_odd: 2 odd dates/);
  assert.match(en, /row 62: 등록일: 1899-12-30 is how Excel writes zero as a date/);
  assert.match(en, /row 63: 등록일: the date 2205-11-23 is far in the future/);
});

test('a text among numbers is reported with row and value and stored as written', async () => {
  const areas = Array.from({ length: 150 }, (_, at) => `공장${at},${at}.5`);
  const { loaded, en, ko } = await report({
    'file_15099001_공장.csv': ['이름,용지면적', ...areas, '공장,204..750'].join('\n'),
  });
  assert.match(en, /value_odd: 1 values of another type/);
  assert.match(en, /row 152: 용지면적: 204\.\.750 is not a number; it is stored as written\./);
  assert.match(ko, /용지면적: 숫자가 아닌 값 204\.\.750\. 원본 값 그대로 저장했습니다\./);
  assert.equal(loaded.axes[0]!.findings[0]!.count, 1);
});

test('a value that is odd in many rows is listed once, with the number of the others', async () => {
  const values = Array.from({ length: 400 }, (_, at) => `식품${at},${at % 40 === 0 ? 'tr' : at}.5`);
  const lines = values.map((line) => line.replace('tr.5', 'tr'));
  const { en, ko } = await report({ 'file_15099001_식품.csv': ['이름,지방', ...lines].join('\n') });
  assert.match(en, /value_odd: 10 values of another type/);
  assert.match(en, /row 2: 지방: tr is not a number/);
  assert.match(en, /^ {2}9 more rows; each value is listed with its first one$/m);
  assert.match(ko, /^ {2}외 9행 \(값마다 첫 행만 표시합니다\)$/m);
});

test('a provisional code is explained once, whatever the number of axes', async () => {
  const { en, ko } = await report({ '가.csv': '이름,값\n가,1\n', '나.csv': '시설,주소\n나,2\n' });
  assert.equal(en.match(/portal number/g)?.length, 1);
  assert.match(en, /^2 axes have no portal number and a provisional code such as file_0\d{9}/m);
  assert.match(ko, /^축 2개는 포털 번호가 없어 file_0\d{9} 같은 임시 코드를 받았습니다/m);
});

test('every list of a JSON text is an axis, and --sheet imports one of them', async () => {
  const lists = {
    노선: [{ 이름: '1' }, { 이름: '2' }, { 이름: '3' }],
    역: [{ 명: '가' }, { 명: '나' }],
    출구: [{ 번호: '1' }],
  };
  const file = { 'file_15099001_지하철.json': JSON.stringify(lists) };
  const all = await report(file);
  assert.deepEqual(
    all.loaded.axes.map(({ rows: count }) => count).sort((a, b) => a - b),
    [1, 2, 3],
  );
  assert.match(all.en, /^file_15099001 {2}3 rows × 1 {2}지하철$/m);
  assert.match(all.en, /^file_0\d{9} {2}2 rows × 1 {2}지하철 \(역\) \(a table of the same file/m);
  const { loaded, en } = await report(file, '역');
  assert.deepEqual(
    loaded.axes.map(({ rows: count }) => count),
    [2],
  );
  assert.doesNotMatch(en, /part_not_held/);
});

test('the limit of Naver’s search trend service is not a code of the portal', async () => {
  const error = { errorMessage: 'Request rate exceeded', errorCode: '012' };
  const { en, ko } = await report({ 'a.json': JSON.stringify(error) });
  assert.match(en, /portal_error: .*012 .*too many requests were sent at a time/);
  assert.match(ko, /포털의 오류 응답 012 .*한꺼번에 너무 많이 호출함/);
});

test('a refusal with a complete Korean sentence has no English beside it', async () => {
  const { ko } = await report({
    '가.xml': '<html><head><title>로그인</title></head><body>로그인하세요</body></html>',
    '나.json': '{"currentCount":0,"data":[],"totalCount":0}',
  });
  assert.match(ko, /html_page: 데이터가 아니라 웹 페이지입니다\. .*다시 내려받으세요\.$/m);
  assert.match(ko, /no_records: 레코드가 없는 정상 응답입니다\. .*다시 요청하세요\.$/m);
});

test('the language of the terminal is that of the locale, by the order of POSIX’s variables', () => {
  assert.equal(localeLanguage({ LANG: 'ko_KR.UTF-8' }), 'ko');
  assert.equal(localeLanguage({ LANG: 'ko_KR.UTF-8', LC_ALL: 'en_US.UTF-8' }), 'en');
  assert.equal(localeLanguage({ LC_MESSAGES: 'ko', LANG: 'C' }), 'ko');
  for (const LANG of ['C', 'kok_IN', undefined]) assert.equal(localeLanguage({ LANG }), 'en');
  for (const { ko } of Object.values(findingTitles)) assert.match(ko, /[가-힣]/);
});
