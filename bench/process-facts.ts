import { readFileSync } from 'node:fs';

/** Most memory a process has had resident, as /proc has it; Linux only. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Microseconds of processor a process has used so far, to the hundredth of a second; Linux only. */
export function processorMicroseconds(pid: number): number {
  // The name of the program may contain blanks; fields 14 and 15 of proc(5) follow its bracket.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
