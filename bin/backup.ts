import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readSettings } from '../src/kernel/settings.ts';
import { recordBackup } from '../src/members/backup-time.ts';
import { openExistingMembers } from './open-members.ts';
import { print, printJson } from './terminal.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Writes a consistent copy of the members’ store and its secret into a new folder. To restore, stop the ' +
        'service and put the files of the folder in place of those of members/ in the data folder.',
    )
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--json', 'as JSON')
    .action(backup);
}

async function backup(folder: string, { json }: { readonly json?: boolean }): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} already exists. Name a new folder.`);
  const settings = readSettings(process.env);
  if (settings.DATABASE_URL !== null) {
    throw new Error(
      'Members are in PostgreSQL. Back the database up with pg_basebackup, pgBackRest or the tool of its provider, and copy members/members.secret and members/erasures.ndjson of each machine.',
    );
  }
  await using opened = await openExistingMembers(settings);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, 'members.db');
  // SQLite fills the file and keeps its mode.
  closeSync(openSync(copy, 'wx', 0o600));
  await opened.context.store.backup(copy);
  const secret = join(opened.folder, 'members.secret');
  if (existsSync(secret)) copyFileSync(secret, join(folder, 'members.secret'));
  recordBackup(opened.folder, Date.now());
  if (json) return printJson({ folder, files: readdirSync(folder).toSorted() });
  print(`Copied to ${folder}. Protect it like the original: it contains the secret.`);
}
