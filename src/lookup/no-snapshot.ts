import type { FollowFault } from '../data/remote/follow-state.ts';
import { Problem } from '../kernel/problem.ts';

/** 503 `no_snapshot`: a service prepares its first data, or has none because it cannot follow its store. */
export function noSnapshot(fault?: FollowFault | null): Problem {
  if (fault) return notFollowing(fault);
  return new Problem(
    'no_snapshot',
    {
      ko: '데이터를 준비하고 있습니다. 잠시 후 다시 요청해 주세요.',
      en: 'The data is being prepared. Try again in a moment.',
    },
    { retryAfterS: 5 },
  );
}

function notFollowing({ code }: FollowFault): Problem {
  return new Problem(
    'no_snapshot',
    {
      ko: `스냅샷 저장소를 읽지 못해 아직 데이터가 없습니다(${code}). 로그의 snapshots_not_followed에 이유가 있습니다.`,
      en: `There is no data yet, because the store of snapshots cannot be followed (${code}). The log has the reason at snapshots_not_followed.`,
    },
    { retryAfterS: 5 },
  );
}

/** 503 `no_snapshot` for a snapshot that other followers of the store may have already. */
export function notPulled(id: string): Problem {
  return new Problem(
    'no_snapshot',
    {
      ko: `${id} 스냅샷을 아직 받지 못했습니다. 잠시 후 다시 요청해 주세요.`,
      en: `The snapshot ${id} is not here yet. Try again in a moment.`,
    },
    { retryAfterS: 2 },
  );
}

/** 503 `no_snapshot` of a program that prepares no data itself: the commands that do. */
export function emptyFolder(folder: string): Problem {
  return new Problem('no_snapshot', {
    ko: `${folder}에 아직 데이터가 없습니다. ./maru serve를 실행해 기본 데이터를 준비하거나(1~2분), ./maru load로 파일을 넣으세요.`,
    en: `${folder} has no data yet. Run ./maru serve, which prepares the first data in a minute or two, or ./maru load with files.`,
  });
}
