import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { json, type Answer } from '../../../test/fixtures/lookup-app.ts';
import { fixtureToday } from '../../../test/fixtures/lookup.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Field } from '../../data/axis.ts';
import type { Router } from '../../kernel/http/router.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { silentLog } from '../../kernel/log.ts';
import { createLookupApp } from '../app.ts';
import { StoreHolder } from '../current-store.ts';
import { SnapshotStore } from '../store/snapshot.ts';

const axis = '/api/data/axis?axis=file_1';

async function withRecords(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  check: (router: Router) => Promise<void>,
): Promise<void> {
  using data = temporaryFolder();
  const fields = names.map((name): Field => {
    const coordinate = name === 'lat' || name === 'lon' ? name : null;
    const type = coordinate === null ? 'string' : 'number';
    return { ...testFields[0]!, name, label: name, role: coordinate, type };
  });
  const id = buildAxis(data.path, 'file_1', rows, null, fields);
  await using store = new SnapshotStore(data.path, id);
  const holder = new StoreHolder();
  void holder.replace(store);
  const settings = { MARU_BASE_URL: null };
  const server = createServerContext(silentLog);
  await check(createLookupApp({ holder, settings, server, today: () => fixtureToday }));
}

const body = async (router: Router, target: string): Promise<string> =>
  (await request(router, target)).text();

test('fields named like years keep the order of select, or of the source, in each format', async () => {
  const names = ['지역', '2021', '2020', '__proto__', 'lat', 'lon'];
  await withRecords(names, [['서울', '2', '1', '값', '37.5', '127']], async (router) => {
    const selected = '{"2021":"2","__proto__":"값","2020":"1"}';
    const select = `${axis}&select=2021,__proto__,2020`;
    assert.ok((await body(router, select)).includes(`"items":[${selected}]`));
    assert.equal(await body(router, `${select}&format=ndjson`), `${selected}\n`);
    assert.equal(
      await body(router, `${select}&format=csv&bom=0`),
      '2021,__proto__,2020\r\n2,값,1\r\n',
    );
    const whole = '{"지역":"서울","2021":"2","2020":"1","__proto__":"값","lat":"37.5","lon":"127"';
    const feature = `"properties":${whole}}`;
    assert.ok((await body(router, `${axis}&format=geojson`)).includes(feature));
    assert.ok((await body(router, '/api/export/file_1.geojson')).includes(feature));
    assert.ok((await body(router, `${axis}&with=region`)).includes(`[${whole},"_sido":null,`));
    const found = await body(router, '/api/export/search/ndjson?q=서울');
    assert.ok(found.includes(`"record":${whole}}`), found);
  });
});

test('added columns are numbered where the source has fields of their names', async () => {
  const names = ['이름', '_id', '_sido', '_distance', 'lat', 'lon'];
  const row = ['가람', '65f0', 'Seoul', '3 km', '37.5', '127'];
  await withRecords(names, [row], async (router) => {
    const near = `${axis}&with=id,region&near=37.5,127`;
    const all = [...names, '_distance_2', '_sido_2', '_sigungu', '_id_2'];
    const answer = await json(router, near);
    const [item] = answer.items as [Answer];
    assert.deepEqual(Object.keys(item), all);
    assert.deepEqual([item['_id'], item['_sido'], item['_distance']], row.slice(1, 4));
    assert.match(String(item['_id_2']), /^[0-9a-f]{16}$/);
    assert.equal(item['_distance_2'], 0);
    const listed = (answer['fields'] as Answer[]).map(({ name }) => name);
    assert.deepEqual(listed, all);
    const [heading, line] = (await body(router, `${near}&format=csv&bom=0`)).split('\r\n');
    assert.equal(heading, all.join());
    assert.ok(line?.startsWith(row.join()), line);
    const found = await body(router, '/api/export/search/ndjson?q=가람');
    assert.ok(found.includes(`/data/file_1/${String(item['_id_2'])}"`), found);
    assert.ok(found.includes('"_id":"65f0"'), found);
  });
});

test('groups by a field named count have its values, and their number beside them', async () => {
  await withRecords(['count'], [['a'], ['b'], ['a']], async (router) => {
    const groups = '/api/data/groups?axis=file_1&by=count&agg=count';
    const answer = await json(router, `${groups}&having=count_2 > 1&sort=-count_2`);
    assert.deepEqual(answer['agg'], ['count_2']);
    assert.deepEqual(answer.items, [{ count: 'a', count_2: 2 }]);
    assert.deepEqual((await json(router, `${groups}&sort=-count`)).items, [
      { count: 'b', count_2: 1 },
      { count: 'a', count_2: 2 },
    ]);
  });
});
