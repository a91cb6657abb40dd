import { Problem } from '../kernel/problem.ts';

/** The answer while there is nothing to answer from. */
export function noSnapshot(): Problem {
  return new Problem(
    'no_snapshot',
    {
      ko: '데이터를 준비하고 있습니다. 잠시 뒤에 다시 불러 주세요.',
      en: 'The data is being prepared. Try again in a moment.',
    },
    { retryAfterS: 5 },
  );
}
