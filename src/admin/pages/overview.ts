import type { NorthStarWeek } from '../../members/statistics.ts';
import { columnChart } from '../../web/charts/column-chart.ts';
import { sparkline } from '../../web/charts/sparkline.ts';
import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import { attentionSection } from './attention.ts';
import { weeksSection } from './event-weeks.ts';
import { figures } from './figures.ts';
import { legend, numbers } from './chart-parts.ts';
import { facts, number, searchOf, share, tableAlone } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The most important numbers, problems that need attention, and trends. */
export const overviewPage: Page = async (view) => {
  const { text } = view;
  const overview = await serviceReads.overview(view);
  const { items: platforms } = await serviceReads.platforms(view);
  const platformName = (code: string) => {
    const name = platforms.find((platform) => platform.code === code)?.name ?? code;
    return name === code ? code : `${name} (${code})`;
  };
  const starts = overview.events_by_week.map(({ from }) => from.slice(5));
  return {
    title: text('개요', 'Overview'),
    main: html`${figures([
        [text('전체 여정 이벤트', 'Total journey events'), overview.total_journey_events],
        [text('가입', 'Registrations'), overview.by_event['register'] ?? 0],
        [text('회원', 'Members'), overview.members],
        [text('유효한 세션', 'Active sessions'), overview.sessions],
        [
          text('지난주 두 플랫폼 이상을 이용한 회원', 'Members on two or more platforms last week'),
          overview.north_star.value,
        ],
      ])}
      ${await attentionSection(view)}
      <div class="columns">
        ${await weeksSection(view, platforms)} ${activityChart(view, overview.north_star.weeks)}
      </div>
      ${trends(view, {
        caption: text('이벤트별 추이', 'By event'),
        filter: 'event',
        totals: overview.by_event,
        weeks: overview.events_by_week.map((week) => week.by_event),
        starts,
        nameOf: (name) => wordOf(view, words.event, name),
      })}
      ${trends(view, {
        caption: text('플랫폼별 추이', 'By platform'),
        filter: 'platform',
        totals: {
          ...Object.fromEntries(platforms.map(({ code }) => [code, 0])),
          ...overview.by_platform,
        },
        weeks: overview.events_by_week.map((week) => week.by_platform),
        starts,
        nameOf: platformName,
      })}
      ${sources(view, overview.by_source)}`,
  };
};

/** Active members of complete weeks, oldest first, by the events that servers sent. */
function activityChart(view: View, weeks: readonly NorthStarWeek[]): Html {
  const { text, language } = view;
  const caption = text('주별 활동 회원', 'Active members by week');
  return html`<section>
    <h2>${caption}</h2>
    ${legend([text('두 플랫폼 이상', 'On two or more'), text('한 플랫폼', 'On one platform')], text('끝난 주만 셉니다.', 'Complete weeks only.'))}
    ${
      columnChart(
        {
          name: text(
            `지난주 활동 회원 ${number(weeks.at(-1)?.active_members ?? null)}명`,
            `${number(weeks.at(-1)?.active_members ?? null)} members were active last week`,
          ),
          columns: weeks.map(({ week, value, active_members: active }) => ({
            label: week.slice(5),
            value: active,
            part: value,
          })),
          partName: text('두 플랫폼 이상', 'on two or more'),
        },
        language,
      ).svg
    }
    ${numbers(
      text('활동 회원 표', 'Active members as a table'),
      tableAlone(view, {
        caption,
        rows: weeks,
        file: 'active-members',
        empty: '',
        onPhone: 'tiles',
        columns: [
          [text('시작 (월요일)', 'From (Monday)'), ({ week }) => html`<time>${week}</time>`],
          [text('활동 회원', 'Active'), (week) => number(week.active_members), 'number'],
          [text('두 플랫폼 이상', 'On two or more'), ({ value }) => number(value), 'number'],
          [text('신규', 'New'), ({ growth }) => number(growth.new), 'number'],
          [text('유지', 'Returning'), ({ growth }) => number(growth.returning), 'number'],
          [text('복귀', 'Resurrected'), ({ growth }) => number(growth.resurrected), 'number'],
          [text('휴면', 'Dormant'), ({ growth }) => number(growth.dormant), 'number'],
        ],
      }),
    )}
  </section>`;
}

interface TrendOptions {
  readonly caption: string;
  /** Query parameter that filters events by a name. */
  readonly filter: 'event' | 'platform';
  /** Counts since the beginning, by name. */
  readonly totals: Readonly<Record<string, number>>;
  /** Counts by name; the last is the current week. */
  readonly weeks: readonly Readonly<Record<string, number>>[];
  /** First days of the weeks. */
  readonly starts: readonly string[];
  readonly nameOf: (name: string) => string;
}

/** A small chart for each name, with the count of the last complete week and the total; the greatest total first. */
function trends(
  view: View,
  { caption, filter, totals, weeks, starts, nameOf }: TrendOptions,
): Html {
  const { text } = view;
  const names = Object.entries(totals).toSorted(([, one], [, other]) => other - one);
  return html`<section>
    <h2>${caption}</h2>
    ${
      names.length === 0
        ? html`<p class="quiet">${text('아직 이벤트가 없습니다.', 'There are no events yet.')}</p>`
        : html`<ul class="trends">
              ${names.map(([name, total]) => {
                const counts = weeks.map((week) => week[name] ?? 0);
                return html`<li>
                  <a href="/?${searchOf({ [filter]: name })}#events">${nameOf(name)}</a>
                  ${sparkline(counts, { isLastPartial: true })}
                  <span
                    >${text('지난주', 'Last week')} <b>${number(counts.at(-2) ?? null)}</b></span
                  >
                  <span>${text('전체', 'Total')} <b>${number(total)}</b></span>
                </li>`;
              })}
            </ul>
            ${numbers(
              text(`${caption} 표`, `${caption} as a table`),
              tableAlone(view, {
                caption,
                rows: names,
                file: `by-${filter}`,
                empty: '',
                onPhone: 'tiles',
                columns: [
                  [caption, ([name]) => nameOf(name)],
                  [text('전체', 'Total'), ([, total]) => number(total), 'number'],
                  ...weeks.map(
                    (week, at) =>
                      [
                        starts[at]!,
                        ([name]: (typeof names)[number]) => number(week[name] ?? 0),
                        'number',
                      ] as const,
                  ),
                ],
              }),
            )}`
    }
  </section>`;
}

function sources(view: View, counts: Readonly<Record<string, number>>): Html {
  const sum = Object.values(counts).reduce((total, count) => total + count, 0);
  return html`<section>
    <h2>${view.text('보낸 곳별', 'By source')}</h2>
    ${facts(Object.entries(counts).map(([name, count]) => [wordOf(view, words.source, name), share(count, sum)]))}
  </section>`;
}
