import { collectFiles } from '../src/collect/download/collect-files.ts';
import type { Origin } from '../src/data/axis.ts';
import { printReport } from './load-report.ts';
import { failed } from './run-command.ts';
import { print, printJson, ProgressLine } from './terminal.ts';

const fileCode = /^file_(\d{1,12})$/;

/** Whether a code means a FILE dataset of the portal. */
export function isFileCode(code: string): boolean {
  return fileCode.test(code);
}

export interface FilesAsked {
  readonly data: string;
  readonly codes: readonly string[];
  readonly gateway: string | null;
  readonly origin: Origin;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** Downloads and holds FILE datasets by their codes, and says what came of it. */
export async function runCollectFiles(asked: FilesAsked): Promise<void> {
  const { data, codes, gateway, origin, json, signal } = asked;
  const numbers = codes.flatMap((code) => fileCode.exec(code)?.[1] ?? []);
  using progress = new ProgressLine();
  const report = await collectFiles(data, [...new Set(numbers)], {
    gateway,
    origin,
    signal,
    onFile: (number, message) =>
      progress.note(
        message === null ? `downloaded  file_${number}` : `failed  file_${number}\n  ${message}`,
      ),
  });
  const { loaded } = report;
  if (json) printJson(report);
  else if (loaded === null) print('Nothing was published; what was served before is unchanged.');
  else printReport(loaded);
  if (loaded?.snapshot === undefined || loaded.snapshot === null) failed();
  if (report.failed.length > 0 || (loaded?.notHeld.length ?? 0) > 0) failed();
}
