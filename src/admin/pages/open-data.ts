import { html, type Html } from '../../web/html.ts';
import { emptyHtml, formatNumber } from '../../web/layout.ts';
import { findingName } from '../../web/explorer/finding-names.ts';
import { openDataReads } from '../api/open-data.ts';
import { figures } from './figures.ts';
import { livePart, liveScript } from './live-part.ts';
import { numbers } from './chart-parts.ts';
import {
  actionLink,
  badge,
  breakableText,
  id,
  moment,
  number,
  plainList,
  size,
  table,
  tableAlone,
} from './table.ts';
import { runMessage } from './run-message.ts';
import { snapshotReason } from './snapshot-reasons.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The open data in the folder of the service: collection runs, datasets, quotas and snapshots. */
export const openDataPage: Page = async (view) => {
  const { text } = view;
  const { items: datasets } = await openDataReads.datasets(view);
  const { items: runs } = await openDataReads.collections(view);
  const isRunning = runs.some(({ state }) => state === 'running');
  const part = { id: 'runs', everyS: isRunning ? 5 : 30, last: null };
  return {
    title: text('데이터', 'Data'),
    script: liveScript,
    main: html`${figures([
        [text('데이터셋', 'Datasets'), datasets.length],
        [text('레코드', 'Records'), datasets.reduce((sum, { rows }) => sum + rows, 0)],
        [text('갱신 지연', 'Overdue datasets'), datasets.filter(isOverdue).length],
        [
          text('발견 있음', 'Datasets with findings'),
          datasets.filter(({ findings }) => findings.length > 0).length,
        ],
        [text('실패한 수집', 'Failed runs'), runs.filter(hasFailed).length],
      ])}
      <p class="quiet">
        ${
          datasets.length === 0
            ? text(
                '이 서비스의 데이터 폴더(MARU_DATA)에는 조회 데이터가 없습니다. 조회 서비스를 다른 폴더나 컴퓨터에서 실행한다면 그곳에서 ./maru snapshot list로 확인하세요.',
                'The data folder of this service (MARU_DATA) has no data of the lookup service. If the lookup service has another folder or runs on another machine, use ./maru snapshot list there.',
              )
            : text(
                '이 서비스의 데이터 폴더(MARU_DATA)를 읽은 것입니다. 같은 폴더를 쓰는 조회 서비스와 수집이면 다른 프로세스여도 보이고, 다른 컴퓨터의 것은 보이지 않습니다.',
                'Read from the data folder of this service (MARU_DATA). Data of lookup and collection processes with the same folder is shown, data on other machines is not.',
              )
        }
      </p>
      ${livePart(view, part, html`${runsSection(view, runs)}`)} ${datasetsSection(view, datasets)}
      ${await quotasTable(view)} ${await snapshotsTable(view)}`,
  };
};

type Dataset = Awaited<ReturnType<typeof openDataReads.datasets>>['items'][number];
type Run = Awaited<ReturnType<typeof openDataReads.collections>>['items'][number];

/** Running and failed runs with their progress, the most urgent first, then the completed ones. */
function runsSection(view: View, runs: readonly Run[]): Html {
  const { text } = view;
  const unfinished = runs.filter(({ state }) => state !== 'done').toSorted(byUrgency);
  const done = runs.filter(({ state }) => state === 'done');
  return html`<h2>${text('데이터 수집', 'Data collection')}</h2>
    ${runsTable(view, unfinished, {
      caption: text('진행 중이거나 끝내지 못한 수집', 'Runs under way or not completed'),
      file: 'runs',
      empty:
        runs.length === 0
          ? text('아직 수집한 데이터가 없습니다.', 'No data has been collected yet.')
          : text('진행 중이거나 실패한 수집이 없습니다.', 'No run is under way or has failed.'),
    })}
    ${
      done.length === 0
        ? emptyHtml
        : numbers(
            text(
              `완료된 수집 ${formatNumber(done.length)}건`,
              `${formatNumber(done.length)} completed runs`,
            ),
            runsTable(view, done, {
              caption: text('완료된 수집', 'Completed runs'),
              file: 'completed-runs',
              empty: '',
            }),
          )
    }`;
}

function runsTable(
  view: View,
  rows: readonly Run[],
  options: { readonly caption: string; readonly file: string; readonly empty: string },
): Html {
  const { text } = view;
  return tableAlone(view, {
    ...options,
    rows,
    columns: [
      [text('축', 'Axis'), ({ axis }) => id(axis)],
      [text('상태', 'Status'), (run) => stateBadge(view, run)],
      [text('진행', 'Progress'), (run) => progressCell(view, run)],
      [text('레코드', 'Records'), ({ rows: count }) => number(count), 'number'],
      [text('마지막 응답', 'Last response'), (run) => moment(run.progressed_at, 'second')],
      [text('종료 시각', 'Finished'), (run) => moment(run.finished_at)],
      [text('출처', 'Origin'), ({ origin }) => wordOf(view, words.origin, origin)],
      [text('결과', 'Outcome'), (run) => runMessage(view, run)],
    ],
  });
}

function stateBadge(view: View, run: Run): Html {
  const kind = hasFailed(run) ? 'bad' : run.state === 'done' ? 'good' : 'plain';
  return badge(wordOf(view, words.run, run.state), kind);
}

/** Number of sent and of planned requests, with a progress bar while the run goes on. */
function progressCell({ text }: View, run: Run): Html {
  const { requests_sent: sent, requests_planned: planned } = run;
  const count = `${formatNumber(sent)}/${formatNumber(planned)}`;
  if (run.state !== 'running' || planned === 0) return html`${count}`;
  const label = text(`${run.axis} 진행`, `Progress of ${run.axis}`);
  return html`<span class="with-spark"
    ><progress max="${planned}" value="${Math.min(sent, planned)}" aria-label="${label}"></progress>
    ${count}</span
  >`;
}

/** Datasets that are overdue or have findings, then all datasets, collapsed at first. */
function datasetsSection(view: View, datasets: readonly Dataset[]): Html {
  const { text } = view;
  const conspicuous = datasets
    .filter((dataset) => isOverdue(dataset) || dataset.findings.length > 0)
    .toSorted((one, other) => Number(isOverdue(other)) - Number(isOverdue(one)));
  if (datasets.length === 0) return emptyHtml;
  return html`<h2>${text('확인할 데이터셋', 'Datasets to look at')}</h2>
    ${datasetsTable(view, conspicuous, {
      caption: text('확인할 데이터셋', 'Datasets to look at'),
      file: 'noted-datasets',
      empty: text(
        '갱신이 늦거나 발견이 있는 데이터셋이 없습니다.',
        'None is overdue or has findings.',
      ),
    })}
    ${numbers(
      text(
        `모든 데이터셋 ${formatNumber(datasets.length)}개`,
        `All ${formatNumber(datasets.length)} datasets`,
      ),
      datasetsTable(view, datasets, {
        caption: text('모든 데이터셋', 'All datasets'),
        file: 'datasets',
        empty: '',
      }),
    )}`;
}

function datasetsTable(
  view: View,
  rows: readonly Dataset[],
  options: { readonly caption: string; readonly file: string; readonly empty: string },
): Html {
  const { text, language } = view;
  return tableAlone(view, {
    ...options,
    rows,
    columns: [
      [text('데이터셋', 'Dataset'), ({ title }) => breakableText(title)],
      [text('축', 'Axis'), ({ axis }) => id(axis)],
      [text('최신성', 'Freshness'), (dataset) => freshnessBadge(view, dataset)],
      [text('기준일', 'As of'), ({ date }) => date],
      [text('레코드', 'Records'), ({ rows: count }) => number(count), 'number'],
      [
        text('발견', 'Findings'),
        ({ findings }) =>
          plainList(
            findings.map(
              ({ kind, count }) => html`${findingName(kind, language)} ${formatNumber(count)}`,
            ),
          ),
      ],
      [text('출처', 'Origin'), ({ origin }) => wordOf(view, words.origin, origin)],
      [text('제공 기관', 'Provider'), ({ provider }) => provider ?? '–'],
    ],
  });
}

function freshnessBadge(view: View, { freshness }: Dataset): Html {
  const kind = ({ fresh: 'good', due: 'warn', stale: 'bad', unknown: 'plain' } as const)[freshness];
  return badge(wordOf(view, words.freshness, freshness), kind);
}

async function quotasTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await openDataReads.quotas(view);
  return table(view, {
    caption: text('오늘의 포털 호출 한도', 'Quotas of the portal today'),
    rows: items,
    file: 'quotas',
    empty: text('오늘은 포털에 요청하지 않았습니다.', 'No request was sent to the portal today.'),
    columns: [
      [text('오퍼레이션', 'Operation'), ({ operation }) => breakableText(operation)],
      [
        text('상태', 'Status'),
        ({ is_spent: isSpent }) =>
          isSpent
            ? badge(text('소진', 'Spent'), 'warn')
            : badge(text('사용 가능', 'Available'), 'good'),
      ],
      [text('요청', 'Requests'), ({ used }) => number(used), 'number'],
      [text('하루 한도', 'Daily quota'), ({ limit }) => number(limit), 'number'],
    ],
  });
}

async function snapshotsTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await openDataReads.snapshots(view);
  return table(view, {
    caption: text('스냅샷', 'Snapshots'),
    rows: items.toReversed(),
    file: 'snapshots',
    empty: text('아직 스냅샷이 없습니다.', 'There are no snapshots yet.'),
    columns: [
      [text('스냅샷 번호', 'Snapshot id'), (row) => id(row.id)],
      [
        text('상태', 'Status'),
        (row) =>
          row.is_current ? badge(text('사용 중', 'Current'), 'good') : badge(text('보관', 'Kept')),
      ],
      [
        text('작업', 'Actions'),
        (row) =>
          row.is_current
            ? '–'
            : plainList([
                html`<a
                  href="/data/snapshots/${row.id}"
                  aria-label="${text(`차이 보기: ${row.id}`, `Compare: ${row.id}`)}"
                  >${text('차이 보기', 'Compare')}</a
                >`,
                actionLink(
                  view,
                  'rollBackSnapshot',
                  ['snapshot_id', row.id],
                  text('되돌리기', 'Roll back'),
                ),
              ]),
        'action',
      ],
      [text('축', 'Axes'), ({ axes }) => number(axes), 'number'],
      [text('크기', 'Size'), ({ bytes }) => size(bytes), 'number', ({ bytes }) => bytes],
      [text('생성 시각', 'Built'), (row) => moment(row.built_at)],
      [text('생성 이유', 'Reason'), ({ reason }) => breakableText(snapshotReason(view, reason))],
    ],
  });
}

function hasFailed({ state }: Run): boolean {
  return state === 'failed' || state === 'interrupted';
}

function byUrgency(one: Run, other: Run): number {
  const order = ['running', 'failed', 'interrupted', 'parked'];
  return order.indexOf(one.state) - order.indexOf(other.state);
}

function isOverdue({ freshness }: Dataset): boolean {
  return freshness === 'stale';
}
