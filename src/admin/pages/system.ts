import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import { badge, facts, id, moment, number, size, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** Storage, the last backup, background jobs and rate limits. */
export const systemPage: Page = async (view) => ({
  title: view.text('시스템', 'System'),
  main: html`${await storageFacts(view)} ${await jobsTable(view)} ${await limitsTable(view)}`,
});

/** Free space, sizes, and the time of the last backup by `maru backup`. */
async function storageFacts(view: View): Promise<Html> {
  const { text } = view;
  const storage = await serviceReads.storage(view);
  return html`<h2>${text('저장 공간과 백업', 'Storage and backup')}</h2>
    ${facts([
      [text('디스크 여유 공간', 'Free disk space'), size(storage.free_bytes)],
      [text('디스크 전체 용량', 'Disk size'), size(storage.disk_bytes)],
      [text('회원 저장소', 'Member store'), size(storage.members_bytes)],
      [
        text('마지막 백업', 'Last backup'),
        storage.last_backup_at === null
          ? badge(text('없음', 'None'), 'warn')
          : moment(storage.last_backup_at),
      ],
    ])}
    <p class="quiet">
      ${text(
        '이 명령으로 서비스를 멈추지 않고 회원 저장소를 백업합니다. 다른 방법으로 한 백업은 여기에 나오지 않습니다.',
        'This command backs up the member store without stopping the service. Backups by other means are not shown here.',
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
