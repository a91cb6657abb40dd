import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import type { NorthStarWeek } from '../../members/statistics.ts';
import { formatNumber } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import { attentionSection } from './attention.ts';
import { number, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The service in numbers, after the problems that need attention. */
export const overviewPage: Page = async (view) => {
  const { text } = view;
  const overview = await serviceReads.overview(view);
  const { items: platforms } = await serviceReads.platforms(view);
  const platformName = (code: string) => {
    const name = platforms.find((platform) => platform.code === code)?.name ?? code;
    return name === code ? code : `${name} (${code})`;
  };
  return {
    title: text('개요', 'Overview'),
    main: html`<dl class="figures">
        ${figure(text('전체 여정 이벤트', 'Total journey events'), overview.total_journey_events)}
        ${figure(text('회원', 'Members'), overview.members)}
        ${figure(text('유효한 세션', 'Active sessions'), overview.sessions)}
        ${figure(text('지난주 두 플랫폼 이상을 이용한 회원', 'Members on two or more platforms last week'), overview.north_star.value)}
      </dl>
      ${await attentionSection(view)} ${weeksTable(view, overview.events_by_week)}
      ${activityTable(view, overview.north_star.weeks)}
      <div class="columns">
        ${countsTable(view, text('이벤트별', 'By event'), overview.by_event, (name) => wordOf(view, words.event, name))}
        ${countsTable(view, text('플랫폼별', 'By platform'), overview.by_platform, platformName)}
        ${countsTable(view, text('보낸 곳별', 'By source'), overview.by_source, (name) => wordOf(view, words.source, name))}
      </div>`,
  };
};

function figure(name: string, value: number | null): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${number(value)}</dd>
  </div>`;
}

function countsTable(
  { text }: View,
  caption: string,
  counts: Readonly<Record<string, number>>,
  nameOf: (name: string) => string,
): Html {
  const rows = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`<section>
    ${table({
      caption,
      rows,
      empty: text('아직 이벤트가 없습니다.', 'There are no events yet.'),
      columns: [
        [text('이름', 'Name'), ([name]) => nameOf(name)],
        [text('이벤트', 'Events'), ([, count]) => formatNumber(count), 'number'],
        [text('비교', 'Share'), ([, count]) => bar(count, most)],
      ],
    })}
  </section>`;
}

/** The current week and the eleven before it, newest first. */
function weeksTable(
  { text }: View,
  weeks: Answer<typeof adminContract.overview>['events_by_week'],
): Html {
  const most = Math.max(1, ...weeks.map(({ events }) => events));
  return table({
    caption: text('최근 12주 (이번 주 포함)', 'Last 12 weeks, including this one'),
    rows: weeks.toReversed(),
    empty: text('아직 이벤트가 없습니다.', 'There are no events yet.'),
    columns: [
      [text('시작 (월요일)', 'From (Monday)'), ({ from }) => html`<time>${from}</time>`],
      [text('이벤트', 'Events'), ({ events }) => number(events), 'number'],
      [text('그중 가입', 'Registrations'), ({ registrations }) => number(registrations), 'number'],
      [text('비교', 'Share'), ({ events }) => bar(events, most)],
    ],
  });
}

/** Complete weeks, newest first, by the events that servers sent. */
function activityTable({ text }: View, weeks: readonly NorthStarWeek[]): Html {
  return table({
    caption: text('주별 활동 회원', 'Active members by week'),
    rows: weeks.toReversed(),
    empty: text('아직 끝난 주가 없습니다.', 'No week is complete yet.'),
    columns: [
      [text('시작 (월요일)', 'From (Monday)'), ({ week }) => html`<time>${week}</time>`],
      [text('활동 회원', 'Active'), (week) => number(week.active_members), 'number'],
      [text('두 플랫폼 이상', 'On two or more'), ({ value }) => number(value), 'number'],
      [text('신규', 'New'), ({ growth }) => number(growth.new), 'number'],
      [text('유지', 'Returning'), ({ growth }) => number(growth.returning), 'number'],
      [text('복귀', 'Resurrected'), ({ growth }) => number(growth.resurrected), 'number'],
      [text('휴면', 'Dormant'), ({ growth }) => number(growth.dormant), 'number'],
    ],
  });
}

/** A bar that repeats the number beside it as a length. Screen readers skip it. */
function bar(value: number, most: number): Html {
  const width = Math.round((value / most) * 1_000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${width}" height="8" />
  </svg>`;
}
