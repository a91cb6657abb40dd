import { Problem } from '../kernel/problem.ts';

/** 503 `no_snapshot`: a service prepares its first data. */
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

/** 503 `no_snapshot` of a program that prepares no data itself: the commands that do. */
export function emptyFolder(folder: string): Problem {
  return new Problem('no_snapshot', {
    ko: `${folder}에 아직 데이터가 없습니다. ./maru serve를 실행해 기본 데이터를 준비하거나(1~2분), ./maru load로 파일을 넣으세요.`,
    en: `${folder} has no data yet. Run ./maru serve, which prepares the first data in a minute or two, or ./maru load with files.`,
  });
}
