import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const drivers = resolve(import.meta.dirname, 'drivers');

/** A language with a file of hooks and the program that runs it for the tests. */
export interface Language {
  readonly name: string;
  /** Commands that must succeed for it to be on this machine. */
  readonly needs: readonly (readonly [string, ...string[]])[];
  /** Builds the program in a folder, if it must be, and returns its command. */
  readonly build: (folder: string) => readonly [string, ...string[]];
}

export const languages: readonly Language[] = [
  {
    name: 'Python',
    needs: [['python3', '--version']],
    build: () => ['python3', `${drivers}/driver.py`],
  },
  {
    name: 'PHP',
    needs: [['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"]],
    build: () => ['php', '-d', 'error_log=/dev/stderr', `${drivers}/driver.php`],
  },
  {
    name: 'Ruby',
    needs: [['ruby', '--version']],
    build: () => ['ruby', `${drivers}/driver.rb`],
  },
  { name: 'Go', needs: [['go', 'version']], build: buildGo },
  {
    name: 'Java',
    needs: [
      ['java', '--version'],
      ['javac', '--version'],
    ],
    build: buildJava,
  },
  {
    name: 'sh',
    needs: [
      ['sh', '-c', 'true'],
      ['curl', '--version'],
    ],
    build: () => ['sh', `${drivers}/driver.sh`],
  },
];

/** Folder of a language's file. */
export function hooksOf(name: string): string {
  return `${root}/examples/${name.toLowerCase()}`;
}

export function isHere({ needs }: Language): boolean {
  return needs.every(([command, ...given]) => spawnSync(command, given).status === 0);
}

function buildGo(folder: string): readonly [string] {
  writeFileSync(join(folder, 'go.mod'), 'module driver\n\ngo 1.19\n');
  cpSync(`${drivers}/driver.go`, join(folder, 'main.go'));
  cpSync(`${hooksOf('Go')}/maru.go`, join(folder, 'maru/maru.go'));
  execFileSync('go', ['vet', './...'], { cwd: folder, stdio: 'pipe' });
  execFileSync('go', ['build', '-o', 'driver', '.'], { cwd: folder, stdio: 'pipe' });
  return [join(folder, 'driver')];
}

function buildJava(folder: string): readonly [string, ...string[]] {
  const sources = [`${hooksOf('Java')}/Maru.java`, `${drivers}/Driver.java`];
  execFileSync('javac', ['-Xlint:all', '-Werror', '-d', folder, ...sources], { stdio: 'pipe' });
  const format = '-Djava.util.logging.SimpleFormatter.format=%5$s%n';
  return ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', format, '-cp', folder, 'Driver'];
}
