import { Problem } from '../../kernel/problem.ts';

/** The problem of a count that is put off, because the server that it reads from is behind or away. */
export class PostponedCount extends Problem {
  constructor(retryAfterS: number, cause: unknown) {
    super(
      'storage_unavailable',
      {
        ko: '통계를 계산하는 데이터베이스 복제본이 뒤처져 있거나 연결되지 않습니다. 잠시 후 다시 시도해 주세요.',
        en: 'Statistics are counted on a replica of the database, which is behind or away. Try again later.',
      },
      { retryAfterS, cause },
    );
  }
}
