import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import type { NorthStarWeek } from '../../members/statistics.ts';
import { formatNumber } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import { attentionSection } from './attention.ts';
import { columnChart, sparkline } from './chart.ts';
import { facts, number, share, tableAlone } from './table.ts';
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
      ${await attentionSection(view)}
      <div class="columns">
        ${eventsChart(view, overview.events_by_week)}
        ${activityChart(view, overview.north_star.weeks)}
      </div>
      ${trends(view, {
        caption: text('이벤트별 추이', 'By event'),
        totals: overview.by_event,
        weeks: overview.events_by_week.map((week) => week.by_event),
        nameOf: (name) => wordOf(view, words.event, name),
      })}
      ${trends(view, {
        caption: text('플랫폼별 추이', 'By platform'),
        totals: {
          ...Object.fromEntries(platforms.map(({ code }) => [code, 0])),
          ...overview.by_platform,
        },
        weeks: overview.events_by_week.map((week) => week.by_platform),
        nameOf: platformName,
      })}
      ${sources(view, overview.by_source)}`,
  };
};

type Week = Answer<typeof adminContract.overview>['events_by_week'][number];

function figure(name: string, value: number | null): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${number(value)}</dd>
  </div>`;
}

/** The eleven weeks before the current one, oldest first, and the current one. */
function eventsChart({ text, language }: View, weeks: readonly Week[]): Html {
  const caption = text('주별 이벤트', 'Events by week');
  const sum = weeks.reduce((total, { events }) => total + events, 0);
  return html`<section>
    <h2>${caption}</h2>
    ${legend([text('가입', 'Registrations'), text('그 밖의 이벤트', 'Other events')], text('마지막 막대는 이번 주입니다.', 'The last column is the current week.'))}
    ${columnChart({
      language,
      summary: text(
        `최근 12주의 이벤트 ${formatNumber(sum)}건`,
        `${formatNumber(sum)} events in the last 12 weeks`,
      ),
      columns: weeks.map(({ from, events, registrations }) => ({
        label: from.slice(5),
        value: events,
        part: registrations,
      })),
      isLastPartial: true,
    })}
    ${numbers(
      text('주별 이벤트 표', 'Events by week as a table'),
      tableAlone({
        caption,
        rows: weeks,
        empty: '',
        onPhone: 'scroll',
        columns: [
          [text('시작 (월요일)', 'From (Monday)'), ({ from }) => html`<time>${from}</time>`],
          [text('이벤트', 'Events'), ({ events }) => number(events), 'number'],
          [
            text('그중 가입', 'Registrations'),
            ({ registrations }) => number(registrations),
            'number',
          ],
        ],
      }),
    )}
  </section>`;
}

/** Complete weeks, oldest first, by the events that servers sent. */
function activityChart({ text, language }: View, weeks: readonly NorthStarWeek[]): Html {
  const caption = text('주별 활동 회원', 'Active members by week');
  return html`<section>
    <h2>${caption}</h2>
    ${legend([text('두 플랫폼 이상', 'On two or more'), text('한 플랫폼', 'On one platform')], text('끝난 주만 셉니다.', 'Complete weeks only.'))}
    ${columnChart({
      language,
      summary: text(
        `지난주 활동 회원 ${number(weeks.at(-1)?.active_members ?? null)}명`,
        `${number(weeks.at(-1)?.active_members ?? null)} members were active last week`,
      ),
      columns: weeks.map(({ week, value, active_members: active }) => ({
        label: week.slice(5),
        value: active,
        part: value,
      })),
    })}
    ${numbers(
      text('활동 회원 표', 'Active members as a table'),
      tableAlone({
        caption,
        rows: weeks,
        empty: '',
        onPhone: 'scroll',
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

function legend([part, rest]: readonly [part: string, rest: string], note: string): Html {
  return html`<p class="legend">
    <span class="key part">${part}</span> <span class="key">${rest}</span> <span>${note}</span>
  </p>`;
}

/** The numbers of a chart, closed at first. */
function numbers(label: string, content: Html): Html {
  return html`<details>
    <summary>${label}</summary>
    ${content}
  </details>`;
}

interface TrendOptions {
  readonly caption: string;
  /** Counts of all time, by name. */
  readonly totals: Readonly<Record<string, number>>;
  /** Counts by name; the last is the current week. */
  readonly weeks: readonly Readonly<Record<string, number>>[];
  readonly nameOf: (name: string) => string;
}

/** A small chart for each name, with the last complete week and the total; the greatest total first. */
function trends({ text }: View, { caption, totals, weeks, nameOf }: TrendOptions): Html {
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
                <strong>${nameOf(name)}</strong>
                ${sparkline(counts, { isLastPartial: true })}
                <span>${text('지난주', 'Last week')} <b>${number(counts.at(-2) ?? null)}</b></span>
                <span>${text('전체', 'Total')} <b>${number(total)}</b></span>
              </li>`;
            })}
          </ul>`
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
