import { formatted } from '../../web/layout.ts';
import { attention } from './attention.ts';
import { number, table } from './table.ts';
import { rowsOf, textOf, wordOf, type Page, type Row, type View } from './view.ts';
import { words } from './words.ts';
import { html, type Html } from '../../web/html.ts';

/** The journey in numbers, its total first, and what is wrong. */
export const overviewPage: Page = async (view) => {
  const { ask, say } = view;
  const overview = await ask('overview');
  const { value, weeks } = overview['north_star'] as { value: unknown; weeks: unknown };
  const platforms = rowsOf((await ask('platforms'))['items']);
  const names = new Map(platforms.map(({ code, name }) => [code, textOf(name)]));
  return {
    title: say('개요', 'Overview'),
    main: html`<dl class="figures">
        ${figure(say('전체 여정 이벤트', 'Total journey events'), overview['total_journey_events'])}
        ${figure(say('회원', 'Members'), overview['members'])}
        ${figure(say('살아 있는 세션', 'Live sessions'), overview['sessions'])}
        ${figure(say('지난주 두 플랫폼 이상을 쓴 회원', 'On two or more platforms last week'), value)}
      </dl>
      ${await attention(view)} ${weeksTable(view, rowsOf(overview['events_by_week']))}
      ${northStarTable(view, rowsOf(weeks))}
      <div class="columns">
        ${shares(view, say('이벤트별', 'By event'), overview['by_event'], (name) => wordOf(view, words.event, name))}
        ${shares(view, say('플랫폼별', 'By platform'), overview['by_platform'], (name) =>
          names.has(name) && names.get(name) !== name ? `${names.get(name)} (${name})` : name,
        )}
        ${shares(view, say('보낸 곳별', 'By source'), overview['by_source'], (name) => wordOf(view, words.source, name))}
      </div>`,
  };
};

function figure(name: string, value: unknown): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${number(value)}</dd>
  </div>`;
}

function shares(
  { say }: View,
  caption: string,
  values: unknown,
  nameOf: (name: string) => string,
): Html {
  // Counts by name.
  const entries = Object.entries((values ?? {}) as Readonly<Record<string, number>>);
  const rows = entries.toSorted(([, one], [, other]) => other - one);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`<section>
    ${table({
      caption,
      rows,
      empty: say('아직 이벤트가 없습니다.', 'There are no events yet.'),
      columns: [
        { label: say('이름', 'Name'), cell: ([name]) => nameOf(name) },
        { label: say('이벤트', 'Events'), isNumber: true, cell: ([, count]) => formatted(count) },
        { label: say('비교', 'Compared'), cell: ([, count]) => bar(count, most) },
      ],
    })}
  </section>`;
}

/** Newest first: the week that goes on, and the eleven before it. */
function weeksTable({ say }: View, weeks: readonly Row[]): Html {
  const most = Math.max(1, ...weeks.map(({ events }) => Number(events)));
  return table({
    caption: say('이번 주까지 12주', 'Twelve weeks up to this one'),
    rows: weeks.toReversed(),
    empty: say('아직 이벤트가 없습니다.', 'There are no events yet.'),
    columns: [
      {
        label: say('시작 (월요일)', 'From (Monday)'),
        cell: ({ from }) => html`<time>${textOf(from)}</time>`,
      },
      { label: say('이벤트', 'Events'), isNumber: true, cell: ({ events }) => number(events) },
      {
        label: say('그중 가입', 'Registrations'),
        isNumber: true,
        cell: ({ registrations }) => number(registrations),
      },
      { label: say('비교', 'Compared'), cell: ({ events }) => bar(Number(events), most) },
    ],
  });
}

/** Weeks that are over, Monday to Sunday, by events that servers sent. */
function northStarTable({ say }: View, weeks: readonly Row[]): Html {
  return table({
    caption: say('주마다 활동한 회원', 'Active members by week'),
    rows: weeks.toReversed(),
    empty: say('아직 끝난 주가 없습니다.', 'No week is over yet.'),
    columns: [
      {
        label: say('시작 (월요일)', 'From (Monday)'),
        cell: ({ week }) => html`<time>${textOf(week)}</time>`,
      },
      {
        label: say('활동한 회원', 'Active'),
        isNumber: true,
        cell: (week) => number(week['active_members']),
      },
      {
        label: say('두 플랫폼 이상', 'On two or more'),
        isNumber: true,
        cell: ({ value }) => number(value),
      },
      { label: say('새로', 'New'), isNumber: true, cell: grown('new') },
      { label: say('이어서', 'Returning'), isNumber: true, cell: grown('returning') },
      { label: say('돌아옴', 'Resurrected'), isNumber: true, cell: grown('resurrected') },
      { label: say('쉼', 'Dormant'), isNumber: true, cell: grown('dormant') },
    ],
  });
}

/** As long as the number beside it is large; who cannot see it loses nothing. */
function bar(value: number, most: number): Html {
  const width = Math.round((value / most) * 1_000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${width}" height="8" />
  </svg>`;
}

function grown(name: string): (week: Row) => string {
  return (week) => number((week['growth'] as Row | undefined)?.[name]);
}
