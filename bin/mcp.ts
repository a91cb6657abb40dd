import { Command } from 'commander';
import { createLog } from '../src/kernel/log.ts';
import { readSettings } from '../src/kernel/settings.ts';

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Speaks the Model Context Protocol over standard input and output, so that an assistant on this machine can query ' +
        'the stored data. The assistant starts it; it changes nothing, and no service needs to run. `./maru serve` ' +
        'offers the same at /mcp. Links in answers lead to MARU_BASE_URL, or to PORT of this machine.',
    )
    .action(serveAgent);
}

/** Serves until the client closes standard input. Standard output is the protocol's, so the log goes to standard error. */
async function serveAgent(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog({
    level: settings.MARU_LOG,
    write: (text) => void process.stderr.write(text),
  });
  const [{ StoreHolder }, { SnapshotFollower }, { serveOverStdio }] = await Promise.all([
    import('../src/lookup/current-store.ts'),
    import('../src/lookup/follow.ts'),
    import('../src/agents/stdio.ts'),
  ]);
  await using holder = new StoreHolder();
  using _follower = new SnapshotFollower(settings.MARU_DATA, holder, log);
  if (holder.version === null) {
    process.stderr.write(
      `${settings.MARU_DATA} has no data yet. Run ./maru serve or ./maru load.\n`,
    );
  }
  const baseUrl = settings.MARU_BASE_URL?.replace(/\/$/, '') ?? `http://localhost:${settings.PORT}`;
  await serveOverStdio({ holder, log, baseUrl }, { input: process.stdin, output: process.stdout });
}
