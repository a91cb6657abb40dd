import { Problem } from '../kernel/problem.ts';

/** 503 `no_snapshot`: no data has been loaded yet. */
export function noSnapshot(): Problem {
  return new Problem(
    'no_snapshot',
    {
      ko: '데이터를 준비하고 있습니다. 잠시 후 다시 요청해 주세요.',
      en: 'The data is being prepared. Try again in a moment.',
    },
    { retryAfterS: 5 },
  );
}
