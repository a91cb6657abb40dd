import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xml');
  writeFileSync(path, `<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const { tables } = await readWhole(path);
  return tables.map(({ section, columns, rows }) => [section, columns.join(), rows.map(String)]);
}

test('all repeated elements are tables, also below a root called data', async () => {
  const offices = '<기관><이름>가람청</이름></기관><기관><이름>나루청</이름></기관>';
  const people = ['김', '이', '박'].map((name) => `<직원><성명>${name}</성명></직원>`).join('');
  const text = `<data><기준일>2024</기준일><기관목록>${offices}</기관목록><직원목록>${people}</직원목록></data>`;
  assert.deepEqual(await read(text), [
    ['직원목록/직원', '성명', ['김', '이', '박']],
    ['기관목록/기관', '이름', ['가람청', '나루청']],
  ]);
});

test('elements that repeat in the only element called data are records', async () => {
  const list = ['가람', '나루'].map((name) => `<list><nm>${name}</nm></list>`).join('');
  const text = `<r><header><resultCode>00</resultCode></header><body><data>${list}</data></body></r>`;
  assert.deepEqual(await read(text), [[undefined, 'nm', ['가람', '나루']]]);
});

test('a single record called data keeps the elements that repeat in it', async () => {
  const text = '<r><data><nm>가람</nm><tel><no>1</no></tel><tel><no>2</no></tel></data></r>';
  const tables = await read(text);
  assert.deepEqual(
    tables.map(([, columns]) => columns),
    ['nm,tel_no'],
  );
});

test('repeated elements with equal columns keep the names of their lists', async () => {
  const rows = '<시설><이름>가람</이름></시설><시설><이름>나루</이름></시설>';
  assert.deepEqual(await read(`<자료><서울>${rows}</서울><부산>${rows}</부산></자료>`), [
    ['서울/시설', '이름,목록', ['가람,서울/시설', '나루,서울/시설']],
    ['부산/시설', '이름,목록', ['가람,부산/시설', '나루,부산/시설']],
  ]);
});

test('a record in a wrapper has short names; prefixes stay where they distinguish', async () => {
  const features = ['가람', '나루'].map(
    (name) =>
      `<gml:featureMember><app:park gml:id="${name}"><app:name>${name}</app:name>` +
      '<a:no>1</a:no><b:no>2</b:no></app:park></gml:featureMember>',
  );
  const text = `<wfs:FeatureCollection>${features.join('')}</wfs:FeatureCollection>`;
  assert.deepEqual(await read(text), [
    [undefined, 'id,name,a:no,b:no', ['가람,가람,1,2', '나루,나루,1,2']],
  ]);
});

test('elements that repeat inside a record are not read as tables', async () => {
  const item =
    '<item><이름>가람</이름><사진><주소>1</주소></사진><사진><주소>2</주소></사진></item>';
  assert.deepEqual(await read(`<response><body><items>${item}${item}</items></body></response>`), [
    [undefined, '이름,사진_주소', ['가람,["1","2"]', '가람,["1","2"]']],
  ]);
});

test('a response with prefixes is read as one without', async () => {
  const ok = '<a:header><a:resultCode>00</a:resultCode></a:header>';
  const items = '<a:items><a:item><a:이름>가람</a:이름></a:item></a:items>';
  const answer = await read(`<a:response>${ok}${items}</a:response>`);
  assert.deepEqual(answer, [[undefined, '이름', ['가람']]]);
  const refused = read(`<a:response>${ok.replace('00', '22')}</a:response>`);
  await assert.rejects(refused, { code: 'portal_error' });
});

test('a text that was escaped before the XML was written is unescaped', async () => {
  const items = '<r><i><n>가&amp;amp;나</n></i><i><n>다&amp;라</n></i></r>';
  assert.deepEqual(await read(items), [[undefined, 'n', ['가&나', '다&라']]]);
});

function staff(name: string): string {
  return `<직원><성명>${name}</성명></직원>`;
}

function office(code: number, name: string, inner: string): string {
  return `<기관 코드="${code}"><이름>${name}</이름>${inner}<비고>${code}층</비고></기관>`;
}

test('a record inside another one repeats its fields, and the outer records are a table', async () => {
  const offices =
    office(1, '가람청', staff('김') + staff('이')) +
    office(2, '나루청', '') +
    office(3, '', staff('박') + staff('최'));
  assert.deepEqual(await read(`<목록>${offices}</목록>`), [
    ['기관/직원', '기관_코드,기관_이름,성명', ['1,가람청,김', '1,가람청,이', '3,,박', '3,,최']],
    ['기관', '코드,이름,비고', ['1,가람청,1층', '2,나루청,2층', '3,,3층']],
  ]);
});

test('repeated response elements that have only counts beside their records are not a table', async () => {
  const answer =
    '<response><body><items>' +
    '<item><n>1</n></item><item><n>2</n></item></items><totalCount>2</totalCount></body></response>';
  assert.deepEqual(await read(`<all>${answer}${answer}</all>`), [
    [undefined, 'n', ['1', '2', '1', '2']],
  ]);
});

test('cells named by an attribute are columns, in the spelling of each program', async () => {
  const nil = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';
  for (const [row, open, close] of [
    ['row', 'field name', 'field'],
    ['table', 'column name', 'column'],
    ['Row', 'Col id', 'Col'],
  ]) {
    const cell = (name: string, text: string) => `<${open}="${name}">${text}</${close}>`;
    const rows =
      `<${row}><${open}="번호" ${nil} />${cell('이름', '가람')}</${row}>` +
      `<${row}>${cell('번호', '2')}${cell('이름', '나루')}</${row}>`;
    assert.deepEqual(await read(`<Rows>${rows}</Rows>`), [
      [undefined, '번호,이름', [',가람', '2,나루']],
    ]);
  }
});
