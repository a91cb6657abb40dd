import type { Command } from 'commander';
import { probeOperations, probeTargets, type ProbedOperation } from '../src/harvest/probe/probe.ts';
import { StoredAxes } from '../src/harvest/runs/stored-axes.ts';
import { openCollecting, type CollectingOptions } from './open-collecting.ts';
import { markFailed } from './run-command.ts';
import { formatCount, print, printJson, withNoun } from './terminal.ts';
import { requireServiceKey } from './upstream.ts';

/** Sends one request to each operation, of the named axes or of all, and prints how the responses differ from the definitions. */
export async function probe(
  command: Command,
  names: readonly string[],
  options: CollectingOptions,
): Promise<void> {
  const all = probeTargets().map(({ code }) => code);
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    command.error(`error: ${unknown.join(', ')} has no operation to probe.`);
  }
  await using collecting = await openCollecting(options, probeLimits);
  const { data, upstream, signal, progress } = collecting;
  requireServiceKey(upstream);
  const operations = await probeOperations(names.length === 0 ? all : names, {
    client: upstream.client,
    stored: new StoredAxes(data),
    now: Date.now(),
    signal,
    onOperation: (operation, done, total) =>
      progress.update(() => `${done}/${total} ${operation.code} ${operation.outcome}`),
  });
  progress[Symbol.dispose]();
  if (options.json) printJson({ probedAt: new Date().toISOString(), operations });
  else printReport(operations);
  if (operations.some(({ outcome }) => outcome === 'failed')) markFailed();
}

/** Five requests per second, and no retries: a failure is a result of the probe. */
const probeLimits = { attemptsMax: 1, callsPerSecond: 5 } as const;

function printReport(operations: readonly ProbedOperation[]): void {
  for (const operation of operations) {
    const { code, outcome, rows, total, pageSizeRequested, message, differences } = operation;
    const counts = `${formatCount(rows)} of ${total === null ? '?' : formatCount(total)} rows`;
    const page = `page of ${formatCount(pageSizeRequested)}`;
    print(`${outcome.padEnd(8)}  ${code ?? operation.operation}  ${counts}, ${page}`);
    for (const { kind, detail } of differences) print(`  ${kind}: ${detail}`);
    for (const [name, value] of Object.entries(operation.quotaHeaders)) {
      print(`  header ${name}: ${value}`);
    }
    for (const { kind, value } of operation.assumptions) print(`  assumed ${kind}: ${value}`);
    if (message !== null) print(`  ${message}`);
  }
  const countOf = (wanted: ProbedOperation['outcome']): string =>
    formatCount(operations.filter(({ outcome }) => outcome === wanted).length);
  const different = operations.filter(({ differences }) => differences.length > 0).length;
  print(
    `${withNoun(operations.length, 'operation')}: ${countOf('answered')} answered, ${countOf('empty')} empty, ` +
      `${countOf('failed')} failed, ${countOf('not_sent')} not sent; ${formatCount(different)} differ from the ` +
      'definition. Nothing was stored or published.',
  );
}
