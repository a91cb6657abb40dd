import { spawnSync } from 'node:child_process';

/** Ends all processes that this one has started, and those that they have started, at once. */
export function killDescendants(): void {
  const started = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const descendants = [process.pid];
  // The array grows while it is read.
  for (const pid of descendants) {
    for (const child of started.get(pid) ?? []) descendants.push(child.pid);
  }
  for (const pid of descendants.slice(1)) killIfRunning(pid);
}

/** Processes that a process has started itself. */
export function childrenOf(pid: number): number[] {
  return listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
}

function listProcesses(): ListedProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return Array.from(stdout.matchAll(/(\d+)\s+(\d+)/g), ([, pid, parent]) => ({
    pid: Number(pid),
    parent: Number(parent),
  }));
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was listed, as `ps` itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
