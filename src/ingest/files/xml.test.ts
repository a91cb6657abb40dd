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

test('elements that repeat inside a record are no tables', async () => {
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
