import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMembers } from '../bin/open-members.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { declarePlatforms } from '../src/members/platforms.ts';
import { runMaru } from '../test/end-to-end/run-maru.ts';
import { PostgresServer } from '../test/postgres/server.ts';

/**
 * `./maru members move` of a million members to PostgreSQL and back, with its comparison of all rows: `node
 * bench/move.ts [MEMBERS]`. A member has two links, two events and a session. The server syncs its writes.
 */
const members = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-move-'));
const back = mkdtempSync(join(tmpdir(), 'maru-bench-move-'));
await using server = await PostgresServer.start({ isDurable: true });
try {
  await generate();
  await timeMove('to PostgreSQL', ['--to', server.url], {});
  await timeMove('back', ['--to', `sqlite:${back}`], { DATABASE_URL: server.url });
} finally {
  rmSync(folder, { recursive: true });
  rmSync(back, { recursive: true });
}

async function timeMove(
  name: string,
  words: readonly string[],
  environment: object,
): Promise<void> {
  const startedAt = performance.now();
  const { status, output, errors } = await runMaru(
    folder,
    ['members', 'move', ...words],
    environment,
  );
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${name}: ${seconds} s\n${status === 0 ? output : errors}`);
}

async function generate(): Promise<void> {
  await using opened = await openMembers({ MARU_DATA: folder });
  const platforms = readPlatformConfiguration({
    platforms: [{ code: 'books' }, { code: 'music' }],
  });
  await declarePlatforms(opened.context, platforms, { actor: 'system', reason: 'a benchmark' });
  using database = new DatabaseSync(join(folder, 'members/members.db'));
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${members})`;
  const links = `(SELECT 0 AS platform UNION ALL SELECT 1)`;
  database.exec(
    `BEGIN;
     ${numbers} INSERT INTO members (id, svc_uid, realm, email_hash, tier, status, platforms, session_epoch, created_at)
       SELECT i, 'svc_' || lower(hex(randomblob(13))), 'main', randomblob(32), 'BRONZE', 'active', 3, 0, 1794970800000 FROM n;
     ${numbers} INSERT INTO addresses SELECT i, 'user.' || i || '@example.com' FROM n;
     ${numbers} INSERT INTO memberships (id, home_id, member_id, platform_id, verified, linked_at, version)
       SELECT 2 * i + platform, i, i, platform, 1, 1794970800000, 1 FROM n, ${links};
     INSERT INTO local_users (membership_id, platform_id, local_hash, local_user_id, email_typed)
       SELECT id, platform_id, randomblob(16), 'u-' || id, NULL FROM memberships;
     INSERT INTO sessions (token_hash, id, member_id, membership_id, platform_id, verified, epoch, issued_at, expires_at)
       SELECT randomblob(32), hex(randomblob(8)), member_id, id, 0, 1, 0, 1794970800000, 1795575600000
       FROM memberships WHERE platform_id = 0;
     INSERT INTO events (platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta)
       SELECT platform_id, 'evt_' || lower(hex(randomblob(13))), m.id, 1, 0, 1794970800000, 1794970800000, '{"page":"/a"}'
       FROM memberships m, (SELECT 1 UNION ALL SELECT 2) WHERE m.platform_id = 0;
     INSERT INTO activity_days SELECT 20775, id, 1 FROM members;
     COMMIT`,
  );
}
