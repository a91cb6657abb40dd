import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendAsServer, openFixture } from '../test/fixtures/members.ts';

/**
 * Compares the response times for a foreign platform's member and for an absent one: medians of 2,000 requests
 * each, alternating, in the process. A test compares bytes and the number of statements; the clock decides
 * nothing.
 */
const runs = 2_000;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  await using fixture = await openFixture(folder, { MARU_RATE_SCALE: 0 });
  const { books, cards } = fixture.keys;
  const registrations = Array.from({ length: 500 }, (_, at) => ({
    email: `b${at}@example.com`,
    platform: 'cards',
    local_user_id: String(at),
  }));
  const path = '/members/register/batch';
  const { body } = await sendAsServer(fixture, 'POST', path, cards, { registrations });
  // The answer of a batch of registrations.
  const uids = (body['results'] as { svc_uid: string }[]).map(({ svc_uid: uid }) => uid);
  const times: [foreign: number[], absent: number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    const uid = uids[run % uids.length]!;
    // Another last letter makes a uid that does not exist.
    const absent = uid.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const [at, svcUid] of [uid, absent].entries()) {
      const startedAt = performance.now();
      await sendAsServer(fixture, 'POST', '/members/lookup', books, { svc_uid: svcUid });
      times[at]!.push(performance.now() - startedAt);
    }
  }
  const [foreign, absent] = times.map((all) => all.toSorted((a, b) => a - b)[runs / 2]! * 1_000);
  const percent = (Math.abs(foreign! - absent!) / absent!) * 100;
  process.stdout.write(
    `another’s member ${foreign!.toFixed(1)} µs, absent ${absent!.toFixed(1)} µs: ${percent.toFixed(1)} % apart\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
