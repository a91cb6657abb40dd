import type { BilingualText } from '../../contract/language.ts';
import { FileRefused } from '../files/refused.ts';
import { skipTexts } from './skip-texts.ts';

/** Reason for the failure of a task. */
export interface Failure {
  /** A stable code of a refusal, `disk_full`, or `internal` for a defect of Maru. */
  readonly code: string;
  readonly message: BilingualText;
  readonly isCrash: boolean;
}

/** Converts an error to a failure. A full disk has its own code, because the file is not at fault. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FileRefused) {
    return { code: error.code, message: error.text, isCrash: false };
  }
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const message = isFull ? skipTexts.diskFull() : skipTexts.internal(messageOf(error));
  return { code: isFull ? 'disk_full' : 'internal', message, isCrash: false };
}

/** Failure of a thread that ended before its task did. */
export function crashOf(error: unknown): Failure {
  return { code: 'internal', message: skipTexts.internal(messageOf(error)), isCrash: true };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
