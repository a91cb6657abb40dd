import { DatabaseSync } from 'node:sqlite';
import { fileOutbox } from '../../sdk/src/outbox.ts';
import { createSvc } from '../../sdk/src/svc.ts';

/**
 * Exchanges the addresses of two users in the platform’s own database, makes some of the two calls, and is killed:
 * `node exchange-once.ts URL KEY OUTBOX DATABASE CALLS`.
 */
const [membersUrl = '', apiKey = '', path = '', database = '', calls = ''] = process.argv.slice(2);
const users = new DatabaseSync(database);
users
  .prepare(
    `UPDATE users SET since = ?,
       email = CASE email WHEN 'kim@example.com' THEN 'lee@example.com' ELSE 'kim@example.com' END`,
  )
  .run(new Date().toISOString());
const svc = createSvc({ membersUrl, apiKey, outbox: fileOutbox(path), onWarning: () => {} });
const changed = users.prepare('SELECT * FROM users ORDER BY id').all();
for (const { id, email, since } of changed.slice(0, Number(calls))) {
  await svc.signup({
    email: String(email),
    platform: 'books',
    local_user_id: String(id),
    requested_at: String(since),
  });
}
process.kill(process.pid, 'SIGKILL');
