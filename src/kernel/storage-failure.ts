import { Problem } from './problem.ts';

/** The problem of a store that cannot be used; the cause goes to the log. */
export function storageUnavailable(cause: unknown): Problem {
  return new Problem(
    'storage_unavailable',
    {
      ko: '저장소를 지금 쓸 수 없어 저장하지 못했습니다. 잠시 후 다시 보내 주세요.',
      en: 'The store cannot be used right now, and nothing was stored. Send the request again.',
    },
    { retryAfterS: 1, cause },
  );
}

/** True if SQLite reports that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === resultCodes.busy || code === resultCodes.locked;
}

/** True for an error of the disk or the file, not of the statement: such an error may have ended the transaction. */
export function isStorageFailure(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && storageCodes.has(code);
}

/** SQLite's primary result code: the low byte of the extended one (https://sqlite.org/rescode.html). */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

const resultCodes = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  interrupted: 9,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;
const storageCodes: ReadonlySet<number> = new Set(Object.values(resultCodes));
