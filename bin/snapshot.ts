import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Command } from 'commander';
import { axisCodes } from '../src/data/snapshot/layout.ts';
import { diffSnapshots } from '../src/data/snapshot/diff.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import {
  currentId,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../src/data/snapshot/snapshots.ts';
import { rollBack } from '../src/data/snapshot/rollback.ts';
import { verifyFolder } from '../src/data/snapshot/verify.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { addStoreCommands } from './snapshot-store.ts';
import { formatCount, print, printJson } from './terminal.ts';

interface Options {
  readonly json?: boolean;
}

export function snapshotCommand(): Command {
  const command = new Command('snapshot').description(
    'The last five snapshots are kept. Running servers follow a change within a second.',
  );
  command
    .command('list')
    .description('list all snapshots; * marks the current one')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('verify')
    .description('check every file against its size and SHA-256')
    .argument('[id]', 'snapshot id; the current one by default')
    .option('--json', 'as JSON')
    .action(verify);
  command
    .command('diff')
    .description('list the axes that differ between two snapshots')
    .argument('<before>')
    .argument('<after>')
    .option('--json', 'as JSON')
    .action(diff);
  command
    .command('rollback')
    .description('serve an earlier snapshot again')
    .argument('[id]', 'snapshot id; the previous one by default')
    .option('--json', 'as JSON')
    .action(rollback);
  command
    .command('export')
    .description('write an axis to standard output as NDJSON')
    .argument('<code>')
    .action(exportAxis);
  addStoreCommands(command);
  return command;
}

function list({ json }: Options): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const current = currentId(data);
  const rows = snapshotIds(data).map((id) => {
    const manifest = readManifest(data, id);
    return {
      id,
      isCurrent: id === current,
      builtAt: manifest.builtAt,
      axes: axisCodes(manifest).length,
      bytes: Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0),
      reason: manifest.reason,
    };
  });
  if (json) return printJson(rows);
  if (rows.length === 0) return print(`There is no snapshot in ${data} yet.`);
  for (const row of rows) {
    const mark = row.isCurrent ? '*' : ' ';
    const size = `${formatCount(Math.ceil(row.bytes / 1e6))} MB`;
    print(`${mark} ${row.id}  ${row.builtAt}  ${row.axes} axes  ${size}  ${row.reason}`);
  }
}

function verify(id: string | undefined, { json }: Options): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const selectedId = id ?? servedId(data);
  const manifest = readManifest(data, selectedId);
  verifyFolder(snapshotFolder(data, selectedId), manifest, { hashes: true });
  const files = Object.keys(manifest.files).length;
  if (json) printJson({ id: selectedId, files, whole: true });
  else print(`Snapshot ${selectedId} is intact: ${formatCount(files)} files.`);
}

function diff(before: string, after: string, { json }: Options): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const differences = diffSnapshots(data, before, after);
  if (json) return printJson(differences);
  if (differences.length === 0) return print('No axis differs.');
  for (const { code, change, rowsBefore, rowsAfter, fieldsAdded, fieldsRemoved } of differences) {
    const fields = [
      ...fieldsAdded.map((name) => `+${name}`),
      ...fieldsRemoved.map((name) => `-${name}`),
    ];
    const rows = `${rowsBefore === null ? '–' : formatCount(rowsBefore)} → ${rowsAfter === null ? '–' : formatCount(rowsAfter)} rows`;
    print(`${code}  ${change}  ${rows}${fields.length > 0 ? `  ${fields.join(' ')}` : ''}`);
  }
}

function rollback(id: string | undefined, { json }: Options): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const { from, to } = rollBack(data, id ?? null);
  if (json) printJson({ from, to });
  else print(`Now serving ${to}${from === null ? '' : ` instead of ${from}`}.`);
}

async function exportAxis(code: string): Promise<void> {
  const { MARU_DATA: data } = readSettings(process.env);
  using opened = OpenedSnapshot.open(data, servedId(data));
  if (!opened.axes.has(code)) {
    throw new Error(`There is no axis ${code}. GET /api/axes lists the codes.`);
  }
  for (const { bytes, starts, ends } of opened.part(code).records.blocks()) {
    let lines = '';
    for (let i = 0; i < starts.length; i++)
      lines += `${bytes.toString('utf8', starts[i], ends[i])}\n`;
    if (!process.stdout.write(lines) && !(await canWriteOn(process.stdout))) return;
  }
}

/** Waits until a stream takes more; false if its reader has closed it, as `head` does. */
async function canWriteOn(stream: Writable): Promise<boolean> {
  try {
    await once(stream, 'drain');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
    throw error;
  }
}

function servedId(data: string): string {
  const id = currentId(data);
  if (id === null) throw new Error(`There is no snapshot in ${data} yet: load a file first.`);
  return id;
}
