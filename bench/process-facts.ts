import { readFileSync, readdirSync } from 'node:fs';

/** Most memory a process has had resident, as /proc has it; Linux only. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Microseconds of processor a process has used so far, to the hundredth of a second; Linux only. */
export function processorMicroseconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Processor time of a process and its children, including children that have ended; Linux only. */
export function familyMicroseconds(parent: number): number {
  const ended = statOf(parent);
  let sum = (Number(ended[13]) + Number(ended[14])) * 10_000;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isNaN(pid) && (pid === parent || parentOf(pid) === parent)) {
      sum += processorMicroseconds(pid);
    }
  }
  return sum;
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return null;
  }
}

/** The fields of proc(5) from the third on: the name of the program, the second, may contain blanks. */
function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
}
