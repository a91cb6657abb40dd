import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, StoredAxis } from '../axis.ts';
import { linkDemand, type DemandSources } from './link-demand.ts';
import { rankScores } from '../../ingest/demand/ranking.ts';

function storedAxis(code: string, title: string, labels: readonly string[] = []): StoredAxis {
  const stats = {
    nonNull: 0,
    distinct: 0,
    minLength: null,
    maxLength: null,
    min: null,
    max: null,
    examples: [],
  };
  return {
    axis: {
      code,
      title,
      titleEn: null,
      type: 'FILE',
      portalId: null,
      provider: null,
      keyFields: [],
      origin: 'file',
      sourceModified: null,
      collectedAt: '2026-07-31T00:00:00Z',
      updateCycle: null,
      license: null,
      sourceUrl: null,
    },
    rows: 0,
    fields: labels.map((label): Field => ({
      name: label,
      label,
      labelEn: null,
      labelSource: 'header',
      type: 'string',
      unit: null,
      role: null,
      searchable: true,
      stats,
    })),
    schemaFingerprint: '',
    regions: [],
    hasCoordinates: false,
  };
}

const axes = [
  storedAxis('file_2', '가온시 공영 주차장 현황', ['주차장명', '주소']),
  storedAxis('file_1', '전국주차장정보표준데이터', ['주차장명', '요금정보']),
  storedAxis('file_3', '상가 현황', ['상호명', '주차장명']),
  storedAxis('file_4', '관광지 현황', ['관광지명']),
];

async function linksOf(keyword: string, sources: Partial<DemandSources> = {}) {
  const method = { source: '', unit: '', period: { from: '', to: '', timeUnit: '' }, note: '' };
  const demand = rankScores('날씨', method, [[keyword, 10]]);
  const linked = await linkDemand(demand, axes, { countCatalog: () => 0, ...sources });
  return linked.items[0]?.axes.map(({ axis, match }) => [axis, match]);
}

test('a keyword links to titles first, then to field labels, in the order of codes', async () => {
  assert.deepEqual(await linksOf('주차장'), [
    ['file_1', 'title'],
    ['file_2', 'title'],
    ['file_3', 'field'],
  ]);
});

test('a keyword links to a title that contains each of its words, spaces and case aside', async () => {
  assert.deepEqual(await linksOf('가온시 주차장'), [['file_2', 'title']]);
  assert.deepEqual(await linksOf('공영주차장'), [['file_2', 'title']]);
  assert.deepEqual(await linksOf('나래시 주차장'), []);
});

test('a keyword of one syllable links to no title', async () => {
  assert.deepEqual(await linksOf('시'), []);
});

test('a keyword links to axes by catalog keyword and record name, never to an unknown axis', async () => {
  const catalogSources: Partial<DemandSources> = {
    catalogKeywords: (axis) => (axis === 'file_4' ? ['여행 명소'] : []),
  };
  assert.deepEqual(await linksOf('여행명소', catalogSources), [['file_4', 'keyword']]);
  const nameSources: Partial<DemandSources> = {
    axesWithName: () => ['file_9', 'file_4', 'file_3'],
  };
  assert.deepEqual(await linksOf('첨성대', nameSources), [
    ['file_3', 'name'],
    ['file_4', 'name'],
  ]);
});

test('a linked keyword has the number of catalog entries that match it', async () => {
  const method = { source: '', unit: '', period: { from: '', to: '', timeUnit: '' }, note: '' };
  const demand = rankScores('날씨', method, [['주차장', 10]]);
  const linked = await linkDemand(demand, axes, { countCatalog: (keyword) => keyword.length });
  assert.equal(linked.items[0]?.catalogTotal, 3);
  assert.equal(linked.items[0]?.rank, 1);
});
