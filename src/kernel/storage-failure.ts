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

/** The problem of a store that did not confirm a commit: the change may be stored. */
export function outcomeUnknown(cause: unknown): Problem {
  return new Problem(
    'outcome_unknown',
    {
      ko: '저장소가 저장 결과를 알려 오지 않았습니다. 저장되었을 수도 있습니다. 같은 요청을 다시 보내면 확인됩니다.',
      en: 'The store did not confirm the change, which may be stored. Send the same request again to make sure.',
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
