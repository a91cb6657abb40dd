import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { referenceFaults, schemaFaults } from '../../../test/harvest/definition-faults.ts';
import type { AxisFile } from './axis-file.ts';
import { axisDefinition, axisDefinitions } from './definitions.ts';
import { collectionOrder, parentsOf } from './order.ts';

/** The readable codes of the lookup contract. */
const readableCodes = `
  gen_storelist gen_areabasedlist2 gen_detailpettour2 gen_wthrdatalist gen_searchstay2
  gen_smallupjonglist gen_storezoneone gen_realm2 gen_period2 gen_area2 gen_fcstzonecd
  gen_egytlistinfoinqire gen_emrrmrltmusefulsckbdinfoinqire gen_srsilldissaceptncposblinfoinqire
  gen_wthrwrnlist gen_storezoneinadmi gen_middleupjonglist gen_searchfestival2 gen_wthrwrnmsg
  gen_anniversaryinfo gen_wthrpwnlist gen_wthrinfolist gen_wthrinfo gen_wthrbrknews
  gen_wthrbrknewslist gen_largeupjonglist gen_24divisionsinfo gen_restdeinfo gen_holideinfo
  gen_prepolplcotlnmaptrnsportinfoinqire gen_strmlistinfoinqire gen_areacode2 gen_wthrpwn
  gen_ldongcode2 gen_lclssystmcode2 gen_sundrydayinfo gen_categorycode2 gen_eqkmsg gen_eqkmsglist
  gen_elpcelcntinfoinqire gen_detail2 gen_ervotingsttusinfoinqire gen_pwnstatus
  tago_busstops tago_busroute kma_ncst std_library airport_bus
  cltr_library cltr_museum cltr_gallery cltr_arthall cltr_localcultr cltr_lifecultr
  cltr_foundation cltr_culthouse cltr_literature cltr_natlibrary
  nec_xmntck nec_vote_status nec_winner nec_sgg_code nec_code nec_assembly_hist nec_pres_hist
  nec_local_hist nec_rpbe nec_candidate_search nec_pledge`
  .trim()
  .split(/\s+/);

test('the axes are the 69 readable codes of the contract, and no code comes twice', () => {
  assert.equal(readableCodes.length, 69);
  assert.deepEqual(axisDefinitions.map(({ code }) => code).sort(), [...readableCodes].sort());
});

test('codes have the prefix of their family: 43 gen, ten cltr, eleven nec, five others', () => {
  const counts = Map.groupBy(readableCodes, (code) => /^(?:gen|cltr|nec)_/.exec(code)?.[0] ?? '');
  assert.deepEqual(
    Array.from(counts, ([prefix, codes]) => [prefix, codes.length]),
    [
      ['gen_', 43],
      ['', 5],
      ['cltr_', 10],
      ['nec_', 11],
    ],
  );
});

test('every field has a Korean label with its source', () => {
  for (const { code, fields } of axisDefinitions) {
    for (const { name, label, labelSource } of fields) {
      assert.match(label, /[가-힣]/, `${code}.${name}`);
      assert.ok(labelSource === 'portal' || labelSource === 'inferred');
    }
  }
});

function inferredLabels(code: string): string[] {
  const { fields } = axisDefinition(code)!;
  return fields.filter(({ labelSource }) => labelSource === 'inferred').map(({ name }) => name);
}

test('labels of legacy fields and of unobserved operations are marked as inferred', () => {
  const bulletins = axisDefinition('gen_eqkmsglist')!.fields;
  assert.deepEqual(
    inferredLabels('gen_eqkmsglist'),
    bulletins.map(({ name }) => name),
  );
  assert.deepEqual(inferredLabels('gen_searchstay2'), ['mlevel', 'benikia', 'goodstay', 'hanok']);
});

test('a definition takes its JSON parameter, success codes and page size from its family', () => {
  const storeList = axisDefinition('gen_storelist')!;
  assert.deepEqual(storeList.json, { parameter: 'type', value: 'json' });
  assert.equal(storeList.rows.json, 'body.items');
  assert.deepEqual(axisDefinition('gen_areabasedlist2')!.successCodes, ['0000']);
  assert.equal(axisDefinition('gen_realm2')!.json, null);
  assert.equal(axisDefinition('nec_winner')!.paging.pageSize, 100);
  assert.equal(axisDefinition('gen_wthrdatalist')!.paging.pageSize, 999);
  for (const { code, paging } of axisDefinitions) {
    assert.ok(paging.pageSize <= (paging.pageSizeMax ?? paging.pageSize), code);
  }
});

test('axes whose records the upstream deletes accumulate', () => {
  const accumulated = axisDefinitions.filter(({ keeps }) => keeps === 'accumulate');
  const codes = accumulated.map(({ code }) => code).sort();
  assert.deepEqual(codes, [
    'gen_emrrmrltmusefulsckbdinfoinqire',
    'gen_eqkmsg',
    'gen_eqkmsglist',
    'gen_pwnstatus',
    'gen_wthrbrknews',
    'gen_wthrbrknewslist',
    'gen_wthrdatalist',
    'gen_wthrinfo',
    'gen_wthrinfolist',
    'gen_wthrpwn',
    'gen_wthrpwnlist',
    'gen_wthrwrnlist',
    'gen_wthrwrnmsg',
    'kma_ncst',
  ]);
});

test('parents are ordered before their children, whatever the given order', () => {
  for (const axes of [axisDefinitions, axisDefinitions.toReversed()]) {
    const order = collectionOrder(axes);
    assert.equal(order.length, 69);
    const placeOf = new Map(order.map(({ code }, at) => [code, at]));
    for (const axis of order) {
      for (const parent of parentsOf(axis)) {
        assert.ok(placeOf.get(parent)! < placeOf.get(axis.code)!, `${parent} → ${axis.code}`);
      }
    }
  }
});

test('axes whose requests depend on each other’s records are refused', () => {
  const one = axisDefinition('nec_code')!;
  const loop = { kind: 'records', take: { sgId: 'sgId' }, most: 9, expect: 1 } as const;
  const circle = [
    { ...one, code: 'one', enumeration: [{ ...loop, axis: 'two' }] },
    { ...one, code: 'two', enumeration: [{ ...loop, axis: 'one' }] },
  ];
  assert.throws(() => collectionOrder(circle), /depend on each other: one → two → one/);
});

test('axes.json matches its schema', () => {
  assert.deepEqual(schemaFaults(definitionFile()), []);
});

test('every name that a definition uses is defined, and every loop can run', () => {
  assert.deepEqual(referenceFaults(axisDefinitions), []);
});

test('a definition that contradicts itself has a fault for each contradiction', () => {
  const [first, second, ...others] = axisDefinitions;
  const changed = [
    { ...first!, keyFields: ['nowhere'] },
    { ...second!, region: { lat: 'nothing' } },
    ...others,
  ];
  assert.deepEqual(referenceFaults(changed), [
    `${first!.code} has no field nowhere`,
    `${second!.code} has no field nothing`,
  ]);
});

test('a definition of another shape has a fault with its place', () => {
  const file = definitionFile();
  file.axes[0]!.fields[0]!.label = 'no Korean';
  assert.match(schemaFaults(file).join(), /\/axes\/0\/fields\/0\/label/);
});

function definitionFile(): AxisFile {
  return JSON.parse(readFileSync(new URL('axes.json', import.meta.url), 'utf8')) as AxisFile;
}
