import { badge, facts, furtherLink, id, moment, number, size, table } from './table.ts';
import { rowsOf, textOf, wordOf, type Page, type Row, type View } from './view.ts';
import { words } from './words.ts';
import { html, type Html } from '../../web/html.ts';

/** What runs by itself, and what the lookup side holds. */
export const jobsPage: Page = async (view) => {
  const { ask, say } = view;
  return {
    title: say('작업', 'Jobs'),
    main: html`${storageFacts(view, await ask('storage'))}
    ${jobsTable(view, rowsOf((await ask('jobs'))['items']))}
    ${runsTable(view, rowsOf((await ask('collections'))['items']))}
    ${snapshotsTable(view, rowsOf((await ask('snapshots'))['items']))}
    ${table({
      caption: say('호출 제한', 'Limits on calls'),
      rows: rowsOf((await ask('limits'))['items']),
      empty: '',
      columns: [
        { label: say('이름', 'Name'), cell: ({ name }) => id(name) },
        {
          label: say('호출', 'Calls'),
          isNumber: true,
          cell: ({ calls }) => (calls === null ? say('제한 없음', 'No limit') : number(calls)),
        },
        {
          label: say('초마다', 'Each, in seconds'),
          isNumber: true,
          cell: (limit) => number(limit['window_s']),
        },
      ],
    })}`,
  };
};

/** The audit, newest first, and whether it is whole. */
export const auditPage: Page = async (view) => {
  const { ask, say, query } = view;
  const verdict = await ask('verifyAudit');
  const given = query.get('before') ?? '';
  const rows = Number(verdict['rows']);
  // Rows are numbered without a gap: a page that ends before one of them begins so many earlier.
  const before = /^\d{1,15}$/.test(given) ? Number(given) : Number.POSITIVE_INFINITY;
  const end = Math.min(before, verdict['intact'] === true ? rows + 1 : Number.POSITIVE_INFINITY);
  const after = Number.isFinite(end)
    ? Math.max(0, end - 1 - pageRows)
    : Math.max(0, rows - pageRows);
  const { items } = await ask('audit', { query: { after: String(after) } });
  const shown = rowsOf(items).filter(({ seq }) => Number(seq) < end);
  return {
    title: say('감사 기록', 'Audit'),
    main: html`${verdictOf(view, verdict)}
    ${table({
      caption: say('누가 무엇을 왜 했는지, 새것부터', 'Who did what and why, newest first'),
      rows: shown.toReversed(),
      empty: say('아직 기록이 없습니다.', 'Nothing is recorded yet.'),
      columns: [
        { label: say('번호', 'Number'), isNumber: true, cell: ({ seq }) => number(seq) },
        { label: say('때', 'When'), cell: ({ at }) => moment(at, 'second') },
        { label: say('누가', 'Who'), cell: ({ actor }) => textOf(actor) },
        { label: say('무엇을', 'What'), cell: ({ action }) => wordOf(view, words.action, action) },
        { label: say('대상', 'Subject'), cell: ({ subject }) => subjectLink(subject) },
        {
          label: say('왜', 'Why'),
          cell: ({ reason }) => html`<span class="long">${textOf(reason)}</span>`,
        },
        { label: say('자세히', 'Detail'), cell: ({ detail }) => detailOf(view, detail) },
      ],
    })}
    ${furtherLink(
      view,
      '/audit',
      { before: after === 0 ? null : after + 1 },
      say('이전 기록', 'Earlier rows'),
    )}`,
  };
};

const pageRows = 50;

function verdictOf({ say }: View, verdict: Row): Html {
  if (verdict['intact'] !== true)
    return html`<div class="alert" role="alert">
      <p>
        <strong>${say('감사 기록이 깨졌습니다.', 'The audit is broken.')}</strong> ${say(
          `${textOf(verdict['faultAt'])}번부터 믿을 수 없습니다. 저장소를 백업과 견주세요.`,
          `From row ${textOf(verdict['faultAt'])} on it cannot be trusted. Compare the store with a backup.`,
        )}
      </p>
    </div>`;
  return html`<p>
      ${badge(say('온전함', 'Whole'), 'good')}
      ${say(
        `${number(verdict['rows'])}건을 모두 확인했습니다.`,
        `All ${number(verdict['rows'])} rows were checked.`,
      )}
    </p>
    <p class="quiet">
      ${say('지금의 끝 (다른 곳에 적어 두면 잘려도 압니다):', 'Its end now (noted elsewhere, a cut shows):')}
      <code class="long">${textOf(verdict['anchor']) || '–'}</code>
    </p>`;
}

function subjectLink(subject: unknown): Html {
  const text = textOf(subject);
  return text.startsWith('svc_') ? html`<a href="/members/${text}">${id(text)}</a>` : id(text);
}

function detailOf({ say }: View, detail: unknown): Html | string {
  // An object of named facts, as it was audited.
  const entries = Object.entries((detail ?? {}) as Row);
  if (entries.length === 0) return '–';
  return html`<details>
    <summary>${say('보기', 'Show')}</summary>
    <ul class="plain">
      ${entries.map(([name, value]) => html`<li><code class="long">${name}: ${JSON.stringify(value)}</code></li>`)}
    </ul>
  </details>`;
}

/** Where a backup went is known to nobody here: it is made by a command, into any folder. */
function storageFacts({ say }: View, storage: Row): Html {
  return html`<h2>${say('저장 공간', 'Storage')}</h2>
    ${facts([
      [say('디스크에 남은 자리', 'Left on the disk'), size(storage['free_bytes'])],
      [say('디스크 전체', 'The whole disk'), size(storage['disk_bytes'])],
      [say('회원 저장소', 'Members’ store'), size(storage['members_bytes'])],
    ])}
    <p class="quiet">
      ${say(
        '회원 저장소는 서비스를 끄지 않고 이 명령으로 백업합니다. 언제 했는지는 여기서 알 수 없습니다.',
        'The members’ store is backed up while it serves, by this command. When that was last done is not known here.',
      )}
      <code>./maru backup FOLDER</code>
    </p>`;
}

function jobsTable(view: View, rows: readonly Row[]): Html {
  const { say } = view;
  return table({
    caption: say('정리 작업', 'Retention jobs'),
    rows,
    empty: say(
      '시작한 뒤 한 시간마다 돕니다. 아직 돌지 않았습니다.',
      'They run every hour after the start, and have not run yet.',
    ),
    columns: [
      { label: say('작업', 'Job'), cell: ({ name }) => wordOf(view, words.job, name) },
      {
        label: say('결과', 'Result'),
        cell: ({ failure, finished_at: finished }) =>
          failure === null
            ? finished === null
              ? badge(say('도는 중', 'Running'))
              : badge(say('끝남', 'Done'), 'good')
            : html`${badge(say('실패', 'Failed'), 'bad')} ${textOf(failure)}`,
      },
      { label: say('지운 것', 'Removed'), isNumber: true, cell: ({ removed }) => number(removed) },
      { label: say('마지막 실행', 'Last run'), cell: ({ started_at: at }) => moment(at, 'second') },
      { label: say('끝난 때', 'Finished'), cell: ({ finished_at: at }) => moment(at, 'second') },
    ],
  });
}

/** What did not go well first. */
function runsTable(view: View, rows: readonly Row[]): Html {
  const { say } = view;
  return table({
    caption: say('수집 (조회 서비스)', 'Collections (lookup)'),
    rows: rows.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one))),
    empty: say('아직 수집한 것이 없습니다.', 'Nothing was collected yet.'),
    columns: [
      { label: say('축', 'Axis'), cell: ({ axis }) => id(axis) },
      {
        label: say('상태', 'State'),
        cell: (run) =>
          badge(
            wordOf(view, words.run, run['state']),
            isBad(run) ? 'bad' : run['state'] === 'done' ? 'good' : 'plain',
          ),
      },
      { label: say('레코드', 'Records'), isNumber: true, cell: (run) => number(run['rows']) },
      { label: say('요청', 'Requests'), isNumber: true, cell: ({ requests }) => textOf(requests) },
      { label: say('끝난 때', 'Finished'), cell: ({ finished_at: at }) => moment(at) },
      { label: say('어디서', 'Origin'), cell: ({ origin }) => textOf(origin) },
      {
        label: say('알림', 'Message'),
        cell: ({ message }) => html`<span class="long">${textOf(message) || '–'}</span>`,
      },
    ],
  });
}

function snapshotsTable({ say }: View, rows: readonly Row[]): Html {
  return table({
    caption: say('스냅샷 (조회 서비스)', 'Snapshots (lookup)'),
    rows: rows.toReversed(),
    empty: say('아직 스냅샷이 없습니다.', 'There are no snapshots yet.'),
    columns: [
      { label: say('번호', 'Id'), cell: (row) => id(row['id']) },
      {
        label: say('상태', 'State'),
        cell: (row) =>
          row['is_current'] === true
            ? badge(say('지금 쓰는 것', 'Current'), 'good')
            : badge(say('되돌릴 수 있음', 'For rollback')),
      },
      { label: say('크기', 'Size'), isNumber: true, cell: ({ bytes }) => size(bytes) },
      { label: say('만든 때', 'Built'), cell: (row) => moment(row['built_at']) },
      {
        label: say('까닭', 'Reason'),
        cell: ({ reason }) => html`<span class="long">${textOf(reason)}</span>`,
      },
    ],
  });
}

function isBad({ state }: Row): boolean {
  return state === 'failed' || state === 'interrupted';
}
