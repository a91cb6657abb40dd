import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { alterPortal } from './altered-portal.ts';
import { collectFrom } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

test('requests that keep getting answers of others are a finding with their number', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  /** Bodies of three cities in four; every fourth city gets one of them in place of its own. */
  const bodies: string[] = [];
  let crossedCount = 0;
  await using altered = await alterPortal(portal.url, (answer, target) => {
    if (!target.pathname.endsWith('/getSttnNoList')) return;
    const city = Number(target.searchParams.get('cityCode'));
    if (city % 4 !== 0) bodies.push(String(answer.body));
    else if (bodies.length > 0) answer.body = bodies[crossedCount++ % bodies.length]!;
  });
  const { axes } = await collectFrom(folder.path, ['tago_busstops'], { gateway: altered.url });
  const [collected] = axes;
  assert.equal(collected?.outcome, 'published');
  const found = collected.findings.find(({ kind }) => kind === 'answers_crossed');
  assert.ok(found !== undefined && found.count > 10, JSON.stringify(collected.findings));
});
