import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askAsServer, openFixture } from '../test/fixtures/members.ts';

/**
 * Whether the time of an answer tells a stranger's member from nobody: medians of 2,000 requests for each, in turn, in
 * the process. A test holds both to the same bytes and as many questions to the store; the clock decides none.
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
  const { body } = await askAsServer(fixture, 'POST', path, cards, { registrations });
  // What a batch of registrations answers.
  const uids = (body['results'] as { svc_uid: string }[]).map(({ svc_uid: uid }) => uid);
  const times: [foreign: number[], nobody: number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    const uid = uids[run % uids.length]!;
    // Another letter at the end is a uid that nobody has.
    const absent = uid.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const [at, svcUid] of [uid, absent].entries()) {
      const from = performance.now();
      await askAsServer(fixture, 'POST', '/members/lookup', books, { svc_uid: svcUid });
      times[at]!.push(performance.now() - from);
    }
  }
  const [foreign, nobody] = times.map((all) => all.toSorted((a, b) => a - b)[runs / 2]! * 1_000);
  const percent = (Math.abs(foreign! - nobody!) / nobody!) * 100;
  process.stdout.write(
    `another’s member ${foreign!.toFixed(1)} µs, nobody ${nobody!.toFixed(1)} µs: ${percent.toFixed(1)} % apart\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
