import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveSession } from '../store/entities.ts';
import { SessionSightings } from './session-sightings.ts';

const minuteMs = 60_000;
const [firefox, safari] = ['Mozilla/5.0 Firefox/140.0', 'Mozilla/5.0 Safari/18.0'];
const [home, office, mobile] = ['203.0.113.7', '198.51.100.4', '2001:db8:0:1::/64'];

/** A session with the only properties that sightings read. */
function session(id: string): LiveSession {
  return { id, member: { svcUid: `svc_${id}` } } as LiveSession;
}

/** Suspicions raised by uses of one session, a minute apart. */
function suspicions(
  uses: readonly (readonly [address: string, agent: string])[],
  stepMs = minuteMs,
) {
  const sightings = new SessionSightings();
  return uses.map(
    ([address, userAgent], at) =>
      sightings.note(session('a'), { address, userAgent }, at * stepMs)?.by ?? null,
  );
}

/** Uses from these addresses with one browser. */
function usesFrom(...addresses: readonly string[]) {
  return addresses.map((address) => [address, firefox] as const);
}

test('T37: a new user agent is suspected once within ten minutes, and accepted later', () => {
  const uses = [firefox, safari, firefox, safari].map((agent) => [home, agent] as const);
  assert.deepEqual(suspicions(uses), [null, 'user_agent', null, null]);
  assert.deepEqual(suspicions(uses.slice(0, 2), 10 * minuteMs), [null, null]);
});

test('T37: a network that changes back is suspected, one that changes for good is not', () => {
  assert.deepEqual(suspicions(usesFrom(home, office, home)), [null, null, 'address']);
  assert.deepEqual(suspicions(usesFrom(home, office, office, office)), [null, null, null, null]);
  assert.deepEqual(suspicions(usesFrom(home, mobile, home, mobile)), [null, null, null, null]);
  assert.deepEqual(suspicions(usesFrom(home, '203.0.113.9', home)), [null, null, null]);
  assert.deepEqual(suspicions(usesFrom(home, office, home), 10 * minuteMs), [null, null, null]);
});

test('the number of sightings is limited, and the latest suspicions come first', () => {
  const sightings = new SessionSightings();
  const use = (id: string, userAgent: string) =>
    sightings.note(session(id), { address: home, userAgent }, 0);
  for (let id = 0; id < 25; id++) {
    use(String(id), firefox);
    use(String(id), safari);
  }
  assert.equal(sightings.count, 25);
  assert.deepEqual(
    sightings.suspected().map(({ svcUid }) => svcUid),
    Array.from({ length: 20 }, (_, at) => `svc_${24 - at}`),
  );
  use('first', firefox);
  for (let id = 0; id < 20_000; id++) use(`later-${id}`, firefox);
  // The session was dropped by now, so a new user agent counts as its first.
  assert.equal(use('first', safari), null);
});
