import { FileRefused } from '../files/refused.ts';

/** Reason for the failure of a task. */
export interface Failure {
  /** A stable code of a refusal, `disk_full`, or `internal` for a defect of Maru. */
  readonly code: string;
  readonly message: string;
  readonly isCrash: boolean;
}

/** Converts an error to a failure. A full disk has its own code, because the file is not at fault. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileRefused) {
    return { code: error.code, message: error.message, isCrash: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return { code: isFull ? 'disk_full' : 'internal', message, isCrash: false };
}
