import { html, type Html } from '../../web/html.ts';
import type { Collections } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import { badge, facts, id, breakableText, moment, number, size, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** Storage, background jobs, collection runs, snapshots and rate limits. */
export const systemPage: Page = async (view) => ({
  title: view.text('시스템', 'System'),
  main: html`${await storageFacts(view)} ${await jobsTable(view)} ${await runsTable(view)}
  ${await snapshotsTable(view)} ${await limitsTable(view)}`,
});

/** Free space and sizes. Backups are not listed: the command writes them to any folder and keeps no record. */
async function storageFacts(view: View): Promise<Html> {
  const { text } = view;
  const storage = await serviceReads.storage(view);
  return html`<h2>${text('저장 공간', 'Storage')}</h2>
    ${facts([
      [text('디스크 여유 공간', 'Free disk space'), size(storage.free_bytes)],
      [text('디스크 전체 용량', 'Disk size'), size(storage.disk_bytes)],
      [text('회원 저장소', 'Member store'), size(storage.members_bytes)],
    ])}
    <p class="quiet">
      ${text(
        '이 명령으로 서비스를 멈추지 않고 회원 저장소를 백업합니다. 마지막 백업 시각은 기록되지 않습니다.',
        'This command backs up the member store without stopping the service. The time of the last backup is not recorded.',
      )}
      <code>./maru backup FOLDER</code>
    </p>`;
}

async function jobsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.jobs(view);
  return table(view, {
    caption: text('정리 작업', 'Retention jobs'),
    rows: items,
    file: 'jobs',
    empty: text(
      '서비스를 시작한 뒤 한 시간마다 실행됩니다. 아직 실행되지 않았습니다.',
      'They run every hour after the service starts, and have not run yet.',
    ),
    columns: [
      [text('정리 작업', 'Job'), ({ name }) => wordOf(view, words.job, name)],
      [
        text('결과', 'Result'),
        ({ failure, finished_at: finished }) => {
          if (failure !== null) return html`${badge(text('실패', 'Failed'), 'bad')} ${failure}`;
          return finished === null
            ? badge(text('실행 중', 'Running'))
            : badge(text('완료', 'Done'), 'good');
        },
      ],
      [text('삭제한 수', 'Removed'), ({ removed }) => number(removed), 'number'],
      [text('마지막 실행', 'Last run'), (job) => moment(job.started_at, 'second')],
      [text('종료 시각', 'Finished'), (job) => moment(job.finished_at, 'second')],
    ],
  });
}

/** Collection runs, failed ones first. */
async function runsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.collections(view);
  return table(view, {
    caption: text('데이터 수집', 'Data collection'),
    rows: items.toSorted((one, other) => Number(hasFailed(other)) - Number(hasFailed(one))),
    file: 'runs',
    empty: text('아직 수집한 데이터가 없습니다.', 'No data has been collected yet.'),
    columns: [
      [text('축', 'Axis'), ({ axis }) => id(axis)],
      [
        text('상태', 'Status'),
        (run) =>
          badge(
            wordOf(view, words.run, run.state),
            hasFailed(run) ? 'bad' : run.state === 'done' ? 'good' : 'plain',
          ),
      ],
      [text('레코드', 'Records'), ({ rows }) => number(rows), 'number'],
      [text('요청', 'Requests'), ({ requests }) => requests, 'number'],
      [text('종료 시각', 'Finished'), (run) => moment(run.finished_at)],
      [text('출처', 'Origin'), ({ origin }) => origin],
      [text('메시지', 'Message'), ({ message }) => breakableText(message || '–')],
    ],
  });
}

async function snapshotsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.snapshots(view);
  return table(view, {
    caption: text('스냅숏', 'Snapshots'),
    rows: items.toReversed(),
    file: 'snapshots',
    empty: text('아직 스냅숏이 없습니다.', 'There are no snapshots yet.'),
    columns: [
      [text('스냅숏 번호', 'Snapshot id'), (row) => id(row.id)],
      [
        text('상태', 'Status'),
        (row) =>
          row.is_current
            ? badge(text('사용 중', 'Current'), 'good')
            : badge(text('되돌리기 가능', 'Available for rollback')),
      ],
      [text('크기', 'Size'), ({ bytes }) => size(bytes), 'number'],
      [text('생성 시각', 'Built'), (row) => moment(row.built_at)],
      [text('생성 이유', 'Reason'), ({ reason }) => breakableText(reason)],
    ],
  });
}

async function limitsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.limits(view);
  return table(view, {
    caption: text('호출 한도', 'Rate limits'),
    rows: items,
    file: 'rate-limits',
    empty: '',
    columns: [
      [text('이름', 'Name'), ({ name }) => id(name)],
      [
        text('호출 수', 'Calls'),
        ({ calls }) => (calls === null ? text('제한 없음', 'No limit') : number(calls)),
        'number',
      ],
      [text('기간 (초)', 'Period (seconds)'), (limit) => number(limit.window_s), 'number'],
    ],
  });
}

function hasFailed({ state }: ReturnType<Collections>[number]): boolean {
  return state === 'failed' || state === 'interrupted';
}
