import { resolve } from 'node:path';
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

/** Serves until the client closes standard input. Standard output carries the protocol, so the log goes to standard error. */
async function serveAgent(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog({
    level: settings.MARU_LOG,
    write: (text) => void process.stderr.write(text),
  });
  const [{ StoreHolder }, { SnapshotFollower }, { emptyFolder }, { serveOverStdio }] =
    await Promise.all([
      import('../src/lookup/current-store.ts'),
      import('../src/lookup/follow.ts'),
      import('../src/lookup/no-snapshot.ts'),
      import('../src/agents/stdio.ts'),
    ]);
  await using holder = new StoreHolder();
  using _follower = new SnapshotFollower(settings.MARU_DATA, holder, log);
  const folder = resolve(settings.MARU_DATA);
  if (holder.version === null) process.stderr.write(`${emptyFolder(folder).detail.en}\n`);
  const baseUrl = settings.MARU_BASE_URL?.replace(/\/$/, '') ?? `http://localhost:${settings.PORT}`;
  const streams = { input: process.stdin, output: process.stdout };
  await serveOverStdio({ holder, log, baseUrl, folder }, streams);
}
