import { Problem } from '../kernel/problem.ts';

/** 422 `validation_failed` when a batch has more entries than `max`. */
export function refuseOversized(length: number, max: number): void {
  if (length <= max) return;
  throw new Problem('validation_failed', {
    ko: `한 번에 ${max}개까지 보낼 수 있습니다. 나누어 보내세요.`,
    en: `A batch may have up to ${max} entries. Split it.`,
  });
}

/** The result of one entry of a batch, or the problem that refuses it. Failures of the service fail the batch. */
export async function resultOrProblem<Result>(entry: Promise<Result>): Promise<Result | Problem> {
  try {
    return await entry;
  } catch (error) {
    return refusalOf(error);
  }
}

/** The problem that refuses one entry of a batch. Throws a failure of the service. */
export function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  throw error;
}
