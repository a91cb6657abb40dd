import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { FaultSetting } from '../../sample/faults/schedule.ts';
import type { SamplePortal } from '../../sample/portal.ts';
import { dayMs } from '../../src/data/korean-time.ts';
import { runLimits } from '../../src/harvest/runs/limits.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

const details = 'gen_detail2';
const scale = { gen_period2: 30, std_library: 3200, tago_busstops: 300 };

/** Faults that make one request of an axis fail always. */
const lastingFaults: readonly (readonly [title: string, code: string, fault: FaultSetting])[] = [
  ['code 01', details, { fault: 'agency_error', only: details }],
  ['a plain 500', 'nec_winner', { fault: 'server_error', only: 'nec_winner' }],
  ['a maintenance page', 'tago_busstops', { fault: 'maintenance', only: 'tago_busstops' }],
];

for (const [title, code, fault] of lastingFaults) {
  test(`the third run publishes an axis without a request that always fails with ${title}`, async () => {
    using folder = temporaryFolder();
    await using portal = await portalAtNoon({ scale });
    const query = await parametersOfOneRequest(portal, code);
    portal.setFaults([{ ...fault, query }]);
    const [name, value] = Object.entries(query)[0]!;
    for (let run = 1; run < runLimits.failedRunsMax; run++) {
      const axis = await collectOne(folder.path, portal, code);
      assert.equal(axis.outcome, 'failed', axis.message ?? '');
      assert.match(
        axis.message ?? '',
        new RegExp(`^1 of \\d+ requests failed .* \\(run ${run} of at most 3\\)`),
      );
      assert.ok(axis.message?.includes(`${name}=${value}`), axis.message ?? '');
    }
    const before = portal.requests.length;
    const axis = await collectOne(folder.path, portal, code);
    assert.equal(axis.outcome, 'published', axis.message ?? '');
    assert.deepEqual(
      axis.findings.map(({ kind, count }) => [kind, count]),
      [['few_refused', 1]],
    );
    assert.ok(axis.findings[0]?.detail.includes(`${name}=${value}`), axis.findings[0]?.detail);
    // Six attempts of the failed request, and one request that shows that the service answers.
    assert.equal(portal.requests.length - before, 7);
  });
}

test('a page that always fails is left out of the axis, and the finding gives its number', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  portal.setFaults([{ fault: 'agency_error', query: { pageNo: '3' } }]);
  for (let run = 1; run < runLimits.failedRunsMax; run++) {
    const axis = await collectOne(folder.path, portal, 'std_library');
    assert.equal(axis.outcome, 'failed');
    assert.match(axis.message ?? '', /page 3/);
  }
  const axis = await collectOne(folder.path, portal, 'std_library');
  assert.equal(axis.rows, 2_200, axis.message ?? '');
  const found = axis.findings.find(({ kind }) => kind === 'many_refused');
  assert.match(found?.detail ?? '', /1 of 4 pages are missing.*: page 3\./);
});

test('small pages are requested from a service that refuses large ones', async () => {
  using plain = temporaryFolder();
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { ...scale, std_library: 1200 } });
  await using picky = await portalWithSmallPages(portal.url);
  for (const code of ['std_library', details]) {
    await collectOne(plain.path, portal, code);
    const axis = await collectOne(folder.path, picky, code);
    assert.deepEqual([axis.outcome, axis.findings], ['published', []], axis.message ?? '');
    assert.deepEqual(hashesOf(folder.path, [code]), hashesOf(plain.path, [code]));
  }
  assert.ok(picky.refused() < 2 * runLimits.firstRefusalsMax, `${picky.refused()} refused`);
});

test('pages that always fail look like an outage in one run, then are reported as missing', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { std_library: 10_200 } });
  const failingPages = ['5', '6', '7'];
  portal.setFaults(failingPages.map((pageNo) => ({ fault: 'server_error', query: { pageNo } })));
  let axis = await collectOne(folder.path, portal, 'std_library');
  for (let run = 0; run < runLimits.failedRunsMax && axis.outcome === 'failed'; run++) {
    axis = await collectOne(folder.path, portal, 'std_library');
  }
  assert.deepEqual([axis.outcome, axis.rows], ['published', 7_200], axis.message ?? '');
  const found = axis.findings.find(({ kind }) => kind === 'many_refused');
  assert.match(found?.detail ?? '', /3 of 11 pages are missing.*: page 5, page 6, page 7\./);
});

test('consecutive requests that always fail look like an outage in one run, then are left out', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { gen_period2: 130 } });
  {
    using plain = temporaryFolder();
    await collectOne(plain.path, portal, details);
  }
  const seqs = portal.requests.flatMap(({ code, query }) =>
    code === details ? (query.get('seq') ?? []) : [],
  );
  const failingSeqs = seqs.slice(60, 72);
  portal.setFaults(
    failingSeqs.map((seq) => ({ fault: 'agency_error', only: details, query: { seq } })),
  );
  let axis = await collectOne(folder.path, portal, details);
  for (let run = 1; run <= 5 && axis.outcome !== 'published'; run++) {
    axis = await collectOne(folder.path, portal, details);
  }
  assert.equal(axis.outcome, 'published', axis.message ?? '');
  assert.deepEqual(
    axis.findings.map(({ kind, count }) => [kind, count]),
    [['few_refused', 12]],
  );
  assert.match(axis.findings[0]?.detail ?? '', /and 7 more/);
});

test('the next run publishes the records of a request that failed in only one run', async () => {
  using plain = temporaryFolder();
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  const query = await parametersOfOneRequest(portal, details);
  await collectOne(plain.path, portal, details);
  portal.setFaults([{ fault: 'agency_error', query }]);
  assert.equal((await collectOne(folder.path, portal, details)).outcome, 'failed');
  portal.setFaults([]);
  const axis = await collectOne(folder.path, portal, details);
  assert.deepEqual([axis.outcome, axis.findings], ['published', []]);
  assert.deepEqual(hashesOf(folder.path, [details]), hashesOf(plain.path, [details]));
});

test('a list request that is refused once is retried, and the requests from its rows are sent', async () => {
  using plain = temporaryFolder();
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  const codes = ['gen_categorycode2'];
  await collectFrom(plain.path, codes, { gateway: portal.url });
  portal.setFaults([{ fault: 'text_not_found', query: { cat1: 'A02' }, attempts: 1 }]);
  const { axes } = await collectFrom(folder.path, codes, { gateway: portal.url });
  assert.equal(axes[0]?.outcome, 'published', axes[0]?.message ?? '');
  assert.ok(portal.requests.some(({ fault }) => fault === 'text_not_found'));
  assert.deepEqual(hashesOf(folder.path, codes), hashesOf(plain.path, codes));
});

for (const fault of ['text_not_found', 'retired', 'redirect_away'] as const) {
  test(`no record is lost when one request in five is answered once with ${fault}`, async () => {
    using plain = temporaryFolder();
    using folder = temporaryFolder();
    await using portal = await portalAtNoon({ scale });
    await collectOne(plain.path, portal, details);
    portal.setFaults([{ fault, only: details, rate: 0.2, attempts: 1 }]);
    const axis = await collectOne(folder.path, portal, details);
    assert.deepEqual([axis.outcome, axis.findings], ['published', []]);
    assert.ok(portal.requests.some((request) => request.fault === fault));
    assert.deepEqual(hashesOf(folder.path, [details]), hashesOf(plain.path, [details]));
  });
}

test('a refused request is retried once, reported, and not sent again by a resumed run', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  const query = await parametersOfOneRequest(portal, details);
  portal.setFaults([
    { fault: 'text_not_found', query },
    { fault: 'quota', only: details, rate: 0.3 },
  ]);
  const clock = testClock();
  const parked = await collectOne(folder.path, portal, details, clock);
  assert.equal(parked.outcome, 'parked');
  portal.setFaults([{ fault: 'text_not_found', query }]);
  clock.pass(dayMs);
  const before = portal.requests.length;
  const axis = await collectOne(folder.path, portal, details, clock);
  assert.equal(axis.outcome, 'published', axis.message ?? '');
  assert.equal(axis.findings[0]?.kind, 'few_refused');
  assert.ok(axis.findings[0].detail.includes(`seq=${query['seq']}`));
  const refused = portal.requests.slice(before).filter((each) => each.fault === 'text_not_found');
  assert.ok(refused.length <= 2, `${refused.length} requests were refused.`);
});

test('twenty of many refused requests are retried, and the others count as refused', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { gen_period2: 100 } });
  portal.setFaults([{ fault: 'text_not_found', only: details, rate: 0.5 }]);
  const axis = await collectOne(folder.path, portal, details);
  const refused = axis.findings.find(({ kind }) => kind === 'many_refused')?.count ?? 0;
  assert.ok(refused > 2 * runLimits.confirmedRefusalsMax, `${refused} were refused.`);
  const sent = portal.requests.filter(({ fault }) => fault === 'text_not_found').length;
  assert.equal(sent, refused + runLimits.confirmedRefusalsMax);
});

test('a reparse gives the same data and findings as the run that had refused requests', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  const query = await parametersOfOneRequest(portal, details);
  portal.setFaults([{ fault: 'text_not_found', query }]);
  const first = await collectOne(folder.path, portal, details);
  const options = { gateway: portal.url, client: null, clock: testClock(noon + dayMs) };
  const { axes } = await collectFrom(folder.path, [details], options);
  assert.equal(axes[0]?.outcome, 'unchanged', axes[0]?.message ?? '');
  assert.deepEqual(axes[0].findings, first.findings);
});

test('an outage of a service stays an outage, however many runs it lasts', async () => {
  using plain = temporaryFolder();
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  await collectOne(plain.path, portal, details);
  // The quota leaves a part of the responses stored.
  portal.setFaults([{ fault: 'quota', only: details, rate: 0.3 }]);
  const clock = testClock();
  assert.equal((await collectOne(folder.path, portal, details, clock)).outcome, 'parked');
  clock.pass(dayMs);
  portal.setFaults([{ fault: 'down' }]);
  for (let run = 0; run <= runLimits.failedRunsMax; run++) {
    const axis = await collectOne(folder.path, portal, details, clock);
    assert.equal(axis.outcome, 'failed');
    assert.match(axis.message ?? '', /\((?:network|circuit_open)\)\. The fault is temporary/);
  }
  portal.setFaults([]);
  const axis = await collectOne(folder.path, portal, details, clock);
  assert.deepEqual([axis.outcome, axis.findings], ['published', []]);
  assert.deepEqual(hashesOf(folder.path, [details]), hashesOf(plain.path, [details]));
});

async function collectOne(
  data: string,
  portal: Pick<SamplePortal, 'url'>,
  code: string,
  clock = testClock(),
) {
  const { axes } = await collectFrom(data, [code], { gateway: portal.url, clock });
  return axes.find((axis) => axis.code === code)!;
}

/** Parameters that identify one request in the middle of a collection of the axis. */
async function parametersOfOneRequest(
  portal: SamplePortal,
  code: string,
): Promise<Record<string, string>> {
  using folder = temporaryFolder();
  await collectOne(folder.path, portal, code);
  const requests = portal.requests.filter((each) => each.code === code);
  const middle = requests[Math.floor(requests.length / 2)]!;
  const names = ['seq', 'cityCode', 'sgId', 'sgTypecode'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = middle.query.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A portal that refuses pages of more than 100 rows, in front of another one. */
async function portalWithSmallPages(url: string) {
  let refused = 0;
  const server = createServer((incoming, response) => {
    const query = new URL(incoming.url ?? '', url).searchParams;
    if (Number(query.get('numOfRows') ?? query.get('numOfrows')) > 100) {
      refused++;
      response.end('{"response":{"header":{"resultCode":"10","resultMsg":"numOfRows <= 100"}}}');
      return;
    }
    void fetch(`${url}${incoming.url}`, { headers: { 'user-agent': 'test' } })
      .then(async (answer) => response.end(await answer.text()))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
