import { FileRefused } from '../files/refused.ts';

/** Why a thread did not do a task. */
export interface Failure {
  /** A stable code of a refusal, `disk_full`, or `internal` when it is our fault. */
  readonly code: string;
  readonly message: string;
  readonly isCrash: boolean;
}

/** What an error says of a task; that the disk is full is no fault of the file that was read. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileRefused) {
    return { code: error.code, message: error.message, isCrash: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return { code: isFull ? 'disk_full' : 'internal', message, isCrash: false };
}
