import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { runFolder } from '../../src/harvest/runs/earlier-runs.ts';
import { ResponseStore } from '../../src/harvest/runs/response-store.ts';
import { defaultAnchors } from '../../src/harvest/demand/ladder.ts';
import { relativeErrorMax } from '../../src/ingest/demand/ranking.ts';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { hiddenVolume } from '../../sample/hosts/demand.ts';
import { sampleDemandKeys } from '../../sample/keys.ts';
import { type FaultSetting } from '../../sample/faults/schedule.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { demandFrom, servedRanking } from './collecting-demand.ts';
import { triedFaults } from './tried-faults.ts';

const words = [
  '주차장',
  '도서관',
  '날씨',
  '버스',
  '약국',
  '축제',
  '지진',
  '화장실',
  '공공데이터',
  '낱말하나',
  '낱말둘',
];

test('both services give the same ranking', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  await using portal = await portalAtNoon();
  const report = await demandFrom(folder.path, { gateway: portal.url, words });
  assert.equal(report.outcome, 'published');
  await demandFrom(other.path, { gateway: portal.url, words, service: 'legacy' });
  assert.deepEqual(servedRanking(folder.path), servedRanking(other.path));
});

test('every temporary fault, alone and mixed, ends in the ranking of a faultless run', async (t) => {
  using plain = temporaryFolder();
  {
    await using portal = await portalAtNoon();
    await demandFrom(plain.path, { gateway: portal.url, words });
  }
  const settings: FaultSetting[] = [
    { fault: 'mix', rate: 0.6 },
    ...triedFaults('trend', 'temporary').map((fault) => ({ fault, rate: 0.7 })),
  ];
  for (const setting of settings) {
    await t.test(setting.fault, async () => {
      using folder = temporaryFolder();
      await using portal = await portalAtNoon({ faults: [setting], pace });
      const report = await demandFrom(folder.path, { gateway: portal.url, words });
      assert.equal(report.outcome, 'published', report.message ?? '');
      assert.deepEqual(servedRanking(folder.path), servedRanking(plain.path));
      assert.ok(portal.requests.some(({ fault }) => fault !== null));
    });
  }
});

test('a refusal of the service has advice in one sentence, and never the keys', async () => {
  const refusals = [
    ['trend_forbidden', 'failed', /Enable search trend/],
    ['text_unauthorized', 'failed', /Check MARU_NAVER_ID, MARU_NAVER_SECRET and MARU_NAVER_DOOR/],
    ['trend_quota', 'parked', /same command after midnight in Korea/],
    ['maintenance', 'failed', /run again later/],
  ] as const;
  for (const [fault, outcome, advice] of refusals) {
    using folder = temporaryFolder();
    await using portal = await portalAtNoon({ faults: [{ fault }] });
    const report = await demandFrom(folder.path, { gateway: portal.url, words });
    assert.equal(report.outcome, outcome, fault);
    assert.match(report.message ?? '', advice);
    assert.ok(!JSON.stringify(report).includes(sampleDemandKeys.secret));
    assert.equal(servedRanking(folder.path), null);
  }
});

test('keys that a service echoes are neither stored nor shown', async () => {
  using folder = temporaryFolder();
  const keys = { service: 'legacy', id: 'EchoedId01', secret: 'EchoedSecret02' } as const;
  const echo = `Who is EchoedId01 with EchoedSecret02? ${'…'.repeat(300)}`;
  const results = (request: string) =>
    (JSON.parse(request) as { keywordGroups: { groupName: string }[] }).keywordGroups.map(
      ({ groupName }) => ({ title: groupName, keywords: [echo], data: [] }),
    );
  for (const [status, answer] of [
    [400, () => ({ errorMessage: echo, errorCode: '012' })],
    [500, () => echo],
    [
      200,
      (request: string) => ({
        startDate: '2026-01-01',
        endDate: '2026-10-31',
        timeUnit: 'month',
        results: results(request),
      }),
    ],
  ] as const) {
    await using service = await echoingService(status, answer);
    const report = await demandFrom(folder.path, { gateway: service.url, words, keys });
    assert.ok(!/Echoed/.test(JSON.stringify(report)), JSON.stringify(report));
  }
  const bodies = storedBodies(runFolder(folder.path, 'demand', 1));
  assert.ok(bodies.some((body) => body.includes('***')));
  assert.ok(bodies.every((body) => !body.includes('Echoed')));
  for (const name of ['collect.db', 'collect.db-wal'].filter((each) =>
    existsSync(join(folder.path, each)),
  )) {
    assert.ok(!readFileSync(join(folder.path, name), 'latin1').includes('Echoed'), name);
  }
});

test('a wrong secret is a refusal, not a temporary fault', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const keys = { service: 'hub', id: 'unknown', secret: 'something-else' } as const;
  const { outcome, message } = await demandFrom(folder.path, { gateway: portal.url, words, keys });
  assert.equal(outcome, 'failed');
  assert.match(message ?? '', /http_401.*Check MARU_NAVER_ID/);
  assert.equal(portal.requests.length, 1);
});

test('a spent quota parks the run, which resumes the next day with its stored responses', async () => {
  using folder = temporaryFolder();
  using plain = temporaryFolder();
  const clock = testClock();
  await using portal = await portalAtNoon({
    clock: () => clock.now(),
    keys: { perDay: { demand: 14 } },
  });
  const quota = createMemoryQuota();
  const from = { gateway: portal.url, words, clock, quota };
  const parked = await demandFrom(folder.path, from);
  assert.equal(parked.outcome, 'parked');
  assert.equal(parked.parkedUntil, '2026-11-21T15:10:00.000Z');
  clock.pass(Date.parse(parked.parkedUntil) - noon + 60_000);
  const done = await demandFrom(folder.path, from);
  assert.equal(done.outcome, 'published');
  // Only the refused request was sent twice.
  assert.equal(portal.requests.length, done.requests + 1);
  await using free = await portalAtNoon();
  await demandFrom(plain.path, { gateway: free.url, words });
  assert.deepEqual(servedRanking(folder.path)?.items, servedRanking(plain.path)?.items);
});

test('stored responses are ranked again without a request and without keys', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  await demandFrom(folder.path, { gateway: portal.url, words });
  const before = servedRanking(folder.path);
  const requested = portal.requests.length;
  const stored = { gateway: portal.url, keys: null, origin: 'portal' } as const;
  const again = await demandFrom(folder.path, stored);
  assert.equal(again.outcome, 'published');
  assert.equal(portal.requests.length, requested);
  assert.deepEqual(servedRanking(folder.path), before);
});

test('a refused keyword is left out, and the others of its batch are measured', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ refusedWords: ['낱말둘'] });
  const report = await demandFrom(folder.path, { gateway: portal.url, words });
  assert.equal(report.outcome, 'published');
  assert.deepEqual(
    report.findings.map(({ kind }) => kind),
    ['few_refused'],
  );
  const again = await demandFrom(folder.path, { gateway: portal.url, keys: null });
  assert.deepEqual(again.findings, report.findings);
  const ranking = servedRanking(folder.path)!.items.map(({ keyword }) => keyword);
  assert.ok(ranking.includes('낱말하나') && !ranking.includes('낱말둘'));
});

test('distant anchors are a finding; a ranking without visible keywords keeps the previous one', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ volumes: { 고요한말: 1, 잠잠한말: 0 } });
  const far = { gateway: portal.url, words, anchors: ['날씨', '공공데이터'] };
  const { findings } = await demandFrom(folder.path, far);
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['ladder_gap'],
  );
  const before = servedRanking(folder.path);
  const silent = { gateway: portal.url, words: ['잠잠한말'], anchors: ['고요한말'] };
  const kept = await demandFrom(folder.path, silent);
  assert.equal(kept.outcome, 'kept');
  assert.match(kept.message ?? '', /besides the anchor is visible.*The previous data stays/);
  assert.deepEqual(servedRanking(folder.path), before);
});

test('volumes over six orders of magnitude are measured within their error classes', async () => {
  const volume = fc
    .double({ min: 0, max: 6.7, noNaN: true })
    .map((power) => Math.round(10 ** power));
  await fc.assert(
    fc.asyncProperty(fc.array(volume, { minLength: 4, maxLength: 40 }), async (hiddenVolumes) => {
      using folder = temporaryFolder();
      const keywords = hiddenVolumes.map((_, at) => `숨은말${at}`);
      const volumes = Object.fromEntries(keywords.map((word, at) => [word, hiddenVolumes[at]!]));
      await using portal = await portalAtNoon({ volumes });
      const { outcome } = await demandFrom(folder.path, { gateway: portal.url, words: keywords });
      assert.equal(outcome, 'published');
      const { items } = servedRanking(folder.path)!;
      const anchorVolume = hiddenVolume(20_261_121, defaultAnchors[0]);
      for (const [at, keyword] of keywords.entries()) {
        const item = items.find((each) => each.keyword === keyword)!;
        const truth = (100 * hiddenVolumes[at]!) / anchorVolume;
        if (item.index === null)
          assert.ok(hiddenVolumes[at]! < 6, `${keyword} of ${hiddenVolumes[at]} is invisible`);
        else {
          assert.ok(
            item.errorClass === 'fine' || item.errorClass === 'fair',
            item.errorClass ?? 'none',
          );
          assert.ok(
            Math.abs(item.index / truth - 1) <= relativeErrorMax[item.errorClass],
            `${keyword}: ${item.index} for ${truth}`,
          );
        }
      }
    }),
    { numRuns: 12 },
  );
});

/** Starts a service that answers each request with this status and answer. */
async function echoingService(status: number, answer: (request: string) => unknown) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => response.writeHead(status).end(JSON.stringify(answer(body))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const pace = { dripMs: 1, hangMs: 50 };

/** Bodies of the responses that a run stored. */
function storedBodies(folder: string): string[] {
  using store = new ResponseStore(folder, () => noon, { mustExist: true });
  using database = new DatabaseSync(join(folder, 'responses.db'));
  return database
    .prepare('SELECT key FROM responses')
    .all()
    .map(({ key }) => Buffer.from(store.find(String(key))!.body).toString());
}
