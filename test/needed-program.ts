import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';

/** Fails if one of the programs is absent. A test that skips would go unnoticed. */
export function assertInstalled(...names: readonly NeededProgram[]): void {
  for (const name of names) {
    if (!installed.has(name)) installed.set(name, isInstalled(programs[name].proof));
    const message = `This test needs ${name}. Install it, for example: ${programs[name].install}`;
    assert.ok(installed.get(name), message);
  }
}

/** Path of the Python interpreter: `python3` may be a script that takes longer to find it than it takes to start. */
export function pythonPath(): string {
  assertInstalled('python3');
  return (python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'])
    .toString()
    .trim());
}

let python: string | undefined;

export type NeededProgram = keyof typeof programs;

/** Results of the proofs so far. A proof starts a program, so each is done once. */
const installed = new Map<NeededProgram, boolean>();

function isInstalled([command, ...words]: readonly [string, ...string[]]): boolean {
  return spawnSync(command, words).status === 0;
}

/** Programs and libraries that npm does not install, each with a command that succeeds if it is there. */
const programs = {
  bash: { proof: ['bash', '--version'], install: 'apt-get install bash' },
  curl: { proof: ['curl', '--version'], install: 'apt-get install curl' },
  wget: { proof: ['wget', '--version'], install: 'apt-get install wget' },
  python3: { proof: ['python3', '--version'], install: 'apt-get install python3' },
  pandas: { proof: ['python3', '-c', 'import pandas'], install: 'pip install pandas' },
  pyarrow: { proof: ['python3', '-c', 'import pyarrow'], install: 'pip install pyarrow' },
  requests: { proof: ['python3', '-c', 'import requests'], install: 'pip install requests' },
  httpx: { proof: ['python3', '-c', 'import httpx'], install: 'pip install httpx' },
  php: {
    proof: ['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"],
    install: 'apt-get install php-cli php-curl',
  },
  pdo_sqlite: {
    proof: ['php', '-r', "exit(extension_loaded('pdo_sqlite') ? 0 : 1);"],
    install: 'apt-get install php-sqlite3',
  },
  ruby: { proof: ['ruby', '--version'], install: 'apt-get install ruby' },
  go: { proof: ['go', 'version'], install: 'apt-get install golang-go' },
  javac: { proof: ['javac', '--version'], install: 'apt-get install default-jdk-headless' },
  Rscript: {
    proof: ['Rscript', '-e', 'library(jsonlite)'],
    install: 'apt-get install r-base-core r-cran-jsonlite',
  },
} as const;
