import { StoreFollower } from '../../src/data/remote/store-follower.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { createLog } from '../../src/kernel/log.ts';
import { serveUntilStopped } from '../../src/kernel/run.ts';
import { readSettings } from '../../src/kernel/settings.ts';
import { createLookupApp } from '../../src/lookup/app.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { SnapshotFollower } from '../../src/lookup/follow.ts';

/** A process that serves lookup and follows a store as `./maru serve` does, with a short interval; for tests that kill it. */
const settings = readSettings(process.env);
const log = createLog({ level: 'error', pretty: false });
await using holder = new StoreHolder();
using _follower = new SnapshotFollower(settings.MARU_DATA, holder, log);
await using follower = new StoreFollower(
  { settings, data: settings.MARU_DATA, intervalMs: 100 },
  log,
);
const router = createLookupApp({
  holder,
  settings,
  server: createServerContext(log),
  followed: () => follower.state,
});
await serveUntilStopped({
  servers: [{ router, host: '127.0.0.1', port: 0 }],
  log,
  onStarted: ([server]) => process.send!(server!.address),
});
