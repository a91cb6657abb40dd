import { closeSync, createReadStream, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { readSettings } from '../src/kernel/settings.ts';
import { operatorOf } from '../src/members/audit.ts';
import {
  importMembers,
  type ImportOptions,
  type ImportReport,
  type RefusedRow,
} from '../src/members/import-members.ts';
import { readMemberRows } from './member-rows.ts';
import { openExistingMembers } from './open-members.ts';
import { commandLine, requirePlatform } from './platform.ts';
import { markFailed } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, print, printJson, ProgressLine, withNoun } from './terminal.ts';

interface ImportCommandOptions {
  readonly platform: string;
  readonly asOf?: number;
  readonly refused?: string;
  readonly webhooks?: boolean;
  readonly dryRun?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

/** Imports the members of a platform from a file, or from standard input for `-`. */
export async function importFile(file: string, options: ImportCommandOptions): Promise<void> {
  const { platform: code, dryRun, json } = options;
  await using opened = await openExistingMembers(readSettings(process.env));
  await requirePlatform(opened, code);
  const platform = (await opened.context.platforms.byCode(code))!;
  if (platform.disabled) {
    throw new Error(`The platform ${code} is disabled. Enable it: ./maru platform enable ${code}`);
  }
  const operator = operatorOf(commandLine, options.reason);
  using input = openInput(file);
  using refusals = new RefusalFile(options.refused ?? `${input.name}.refused.ndjson`, file);
  using progress = new ProgressLine();
  using stop = stopSignal(
    'Stopped. The rows so far are stored. Run the same command again: it passes over them.',
  );
  const startedAt = performance.now();
  const report = await importMembers(opened.context, readMemberRows(input.stream), {
    platform,
    operator,
    asOf: options.asOf ?? input.asOf,
    isDryRun: dryRun === true,
    sendsWebhooks: options.webhooks === true,
    signal: stop.signal,
    onRefused: (row) => {
      refusals.add(row);
      if (refusals.count <= refusalsShownMax) progress.note(refusalLine(row));
    },
    onProgress: ({ rows, refused }) => {
      const rate = Math.round((rows / (performance.now() - startedAt)) * 1000);
      const share = input.share();
      progress.update(
        () =>
          `${share === null ? '' : `${Math.floor(share * 100)} % · `}${withNoun(rows, 'row')} · ${formatCount(rate)} rows/s` +
          (refused > 0 ? ` · ${formatCount(refused)} refused` : ''),
      );
    },
  } satisfies ImportOptions);
  const elapsedMs = Math.round(performance.now() - startedAt);
  const refused_file = refusals.count > 0 ? refusals.path : null;
  if (json)
    printJson({
      platform: code,
      dry_run: dryRun === true,
      ...report,
      refused_file,
      elapsed_ms: elapsedMs,
    });
  else printReport(report, refused_file, elapsedMs, dryRun === true);
  if (report.refused > 0) markFailed();
}

function refusalLine({ line, code, message }: RefusedRow): string {
  return `line ${line}  ${code}: ${message}`;
}

const refusalsShownMax = 10;

function printReport(
  report: ImportReport,
  refusedFile: string | null,
  elapsedMs: number,
  isDryRun: boolean,
): void {
  const { rows, created, linked, known, refused, refusals, warnings } = report;
  const rate = Math.round((rows / Math.max(1, elapsedMs)) * 1000);
  print(
    `${withNoun(rows, 'row')} in ${(elapsedMs / 1000).toFixed(1)} s (${formatCount(rate)} rows/s)`,
  );
  print(`  ${formatCount(created).padStart(9)}  new members`);
  print(`  ${formatCount(linked).padStart(9)}  joined to members of other platforms`);
  print(`  ${formatCount(known).padStart(9)}  registered before`);
  print(`  ${formatCount(refused).padStart(9)}  refused${listOf(refusals)}`);
  if (Object.keys(warnings).length > 0) print(`Warnings${listOf(warnings)}`);
  if (refusedFile !== null) {
    print(
      `Refused rows with their reasons: ${refusedFile}. Correct them there and import that file.`,
    );
  }
  if (isDryRun) print('Nothing was stored. Leave out --dry-run to import.');
}

function listOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([code, number]) => `${code} ${formatCount(number)}`);
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** The file to import, or standard input. */
interface Input extends Disposable {
  /** Path from which the default name of the file of refused rows is made. */
  readonly name: string;
  readonly stream: Readable;
  /** Time at which the data was last written; for standard input, the start. */
  readonly asOf: number;
  /** Share of the file that was read, from 0 to 1; null if the size is unknown. */
  share(): number | null;
}

function openInput(file: string): Input {
  if (file === '-') {
    const stream = process.stdin.setEncoding('utf8');
    // A millisecond earlier than any row: two rows of one id are a conflict, not a change of address.
    const asOf = Date.now() - 1;
    return { name: 'members', stream, asOf, share: () => null, [Symbol.dispose]: () => {} };
  }
  const descriptor = openSync(file, 'r');
  const { size, mtimeMs } = fstatSync(descriptor);
  const bytes = { highWaterMark: 262_144, encoding: 'utf8' } as const;
  const stream = createReadStream(file, { fd: descriptor, ...bytes });
  return {
    name: file,
    stream,
    asOf: Math.min(Math.floor(mtimeMs), Date.now() - 1),
    share: () => (size === 0 ? null : stream.bytesRead / size),
    [Symbol.dispose]: () => stream.destroy(),
  };
}

/** File of the refused rows with their reasons. It contains personal data, so only its owner may read it. */
class RefusalFile implements Disposable {
  readonly path: string;
  count = 0;
  #descriptor: number | null = null;

  /** Removes the file of an earlier import. */
  constructor(path: string, input: string) {
    if (resolve(path) === resolve(input)) throw new Error(`--refused names the file to import.`);
    rmSync(path, { force: true });
    this.path = path;
  }

  add({ row, ...reason }: RefusedRow): void {
    this.count += 1;
    this.#descriptor ??= openSync(this.path, 'wx', 0o600);
    const fields = typeof row === 'string' ? { text: row } : (row ?? {});
    writeSync(this.#descriptor, `${JSON.stringify({ ...fields, refused: reason })}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
  }
}
