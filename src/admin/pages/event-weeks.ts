import { eventNames } from '../../members/store/entities.ts';
import { columnChart } from '../../web/charts/column-chart.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml, formatNumber } from '../../web/layout.ts';
import { serviceReads } from '../api/service.ts';
import { legend, numbers } from './chart-parts.ts';
import { eventFilterForm, eventFilterOf, type Platforms } from './event-filter-form.ts';
import { number, tableAlone } from './table.ts';
import { wordOf, type View } from './view.ts';
import { words } from './words.ts';

/** Events of twelve weeks as a chart and a table, filtered by the platform and the kind in the query. */
export async function weeksSection(view: View, platforms: Platforms): Promise<Html> {
  const { text, query } = view;
  const filter = eventFilterOf(query);
  const { items: weeks } = await serviceReads.eventWeeks({ ...view, parameters: filter });
  const caption = text('주별 이벤트', 'Events by week');
  const sum = weeks.reduce((total, { events }) => total + events, 0);
  const isOfAllKinds = filter.event === undefined;
  return html`<section id="events">
    <h2>${caption}</h2>
    ${eventFilterForm(view, platforms, '/#events')}
    ${
      isOfAllKinds
        ? legend(
            [text('가입', 'Registrations'), text('그 밖의 이벤트', 'Other events')],
            text('마지막 막대는 이번 주입니다.', 'The last column is the current week.'),
          )
        : emptyHtml
    }
    ${
      columnChart(
        {
          name: text(
            `최근 12주의 이벤트 ${formatNumber(sum)}건`,
            `${formatNumber(sum)} events in the last 12 weeks`,
          ),
          columns: weeks.map(({ from, events, registrations }) => ({
            label: from.slice(5),
            value: events,
            part: isOfAllKinds ? registrations : null,
          })),
          partName: text('가입', 'registrations'),
          isLastPartial: true,
        },
        view.language,
      ).svg
    }
    ${numbers(
      text('주별 이벤트 표', 'Events by week as a table'),
      tableAlone(view, {
        caption,
        rows: weeks,
        file: 'events-by-week',
        empty: '',
        onPhone: 'tiles',
        columns: [
          [text('시작 (월요일)', 'From (Monday)'), ({ from }) => html`<time>${from}</time>`],
          [text('이벤트', 'Events'), ({ events }) => number(events), 'number'],
          ...(isOfAllKinds ? eventNames : []).map(
            (name) =>
              [
                wordOf(view, words.event, name),
                ({ by_event: counts }: (typeof weeks)[number]) => number(counts[name] ?? 0),
                'number',
              ] as const,
          ),
        ],
      }),
    )}
  </section>`;
}
