import { html, type Html } from '../../web/html.ts';
import type { CollectionRun } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import { badge, facts, id, long, moment, number, size, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** State of the machine and of everything that runs unattended. */
export const systemPage: Page = async (view) => ({
  title: view.text('시스템', 'System'),
  main: html`${await storageFacts(view)} ${await jobsTable(view)} ${await runsTable(view)}
  ${await snapshotsTable(view)} ${await limitsTable(view)}`,
});

/** Backups are not listed: the command writes them to any folder and keeps no record. */
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
  return table({
    caption: text('정리 작업', 'Retention jobs'),
    rows: items,
    empty: text(
      '서비스를 시작한 뒤 한 시간마다 실행됩니다. 아직 실행되지 않았습니다.',
      'They run every hour after the service starts, and have not run yet.',
    ),
    columns: [
      { label: text('정리 작업', 'Job'), cell: ({ name }) => wordOf(view, words.job, name) },
      {
        label: text('결과', 'Result'),
        cell: ({ failure, finished_at: finished }) => {
          if (failure !== null) return html`${badge(text('실패', 'Failed'), 'bad')} ${failure}`;
          return finished === null
            ? badge(text('실행 중', 'Running'))
            : badge(text('완료', 'Done'), 'good');
        },
      },
      {
        label: text('삭제한 수', 'Removed'),
        isNumber: true,
        cell: ({ removed }) => number(removed),
      },
      { label: text('마지막 실행', 'Last run'), cell: (job) => moment(job.started_at, 'second') },
      { label: text('종료 시각', 'Finished'), cell: (job) => moment(job.finished_at, 'second') },
    ],
  });
}

/** Failed runs first. */
async function runsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.collections(view);
  return table({
    caption: text('데이터 수집', 'Data collection'),
    rows: items.toSorted((one, other) => Number(hasFailed(other)) - Number(hasFailed(one))),
    empty: text('아직 수집한 데이터가 없습니다.', 'No data has been collected yet.'),
    columns: [
      { label: text('축', 'Axis'), cell: ({ axis }) => id(axis) },
      {
        label: text('상태', 'Status'),
        cell: (run) =>
          badge(
            wordOf(view, words.run, run.state),
            hasFailed(run) ? 'bad' : run.state === 'done' ? 'good' : 'plain',
          ),
      },
      { label: text('레코드', 'Records'), isNumber: true, cell: ({ rows }) => number(rows) },
      { label: text('요청', 'Requests'), isNumber: true, cell: ({ requests }) => requests },
      { label: text('종료 시각', 'Finished'), cell: (run) => moment(run.finished_at) },
      { label: text('출처', 'Origin'), cell: ({ origin }) => origin },
      { label: text('메시지', 'Message'), cell: ({ message }) => long(message || '–') },
    ],
  });
}

async function snapshotsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.snapshots(view);
  return table({
    caption: text('스냅숏', 'Snapshots'),
    rows: items.toReversed(),
    empty: text('아직 스냅숏이 없습니다.', 'There are no snapshots yet.'),
    columns: [
      { label: text('스냅숏 번호', 'Snapshot id'), cell: (row) => id(row.id) },
      {
        label: text('상태', 'Status'),
        cell: (row) =>
          row.is_current
            ? badge(text('사용 중', 'Current'), 'good')
            : badge(text('되돌리기 가능', 'Available for rollback')),
      },
      { label: text('크기', 'Size'), isNumber: true, cell: ({ bytes }) => size(bytes) },
      { label: text('생성 시각', 'Built'), cell: (row) => moment(row.built_at) },
      { label: text('생성 이유', 'Reason'), cell: ({ reason }) => long(reason) },
    ],
  });
}

async function limitsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.limits(view);
  return table({
    caption: text('호출 한도', 'Rate limits'),
    rows: items,
    empty: '',
    columns: [
      { label: text('이름', 'Name'), cell: ({ name }) => id(name) },
      {
        label: text('호출 수', 'Calls'),
        isNumber: true,
        cell: ({ calls }) => (calls === null ? text('제한 없음', 'No limit') : number(calls)),
      },
      {
        label: text('기간 (초)', 'Period (seconds)'),
        isNumber: true,
        cell: (limit) => number(limit.window_s),
      },
    ],
  });
}

function hasFailed({ state }: CollectionRun): boolean {
  return state === 'failed' || state === 'interrupted';
}
