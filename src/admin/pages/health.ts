import { sparkline } from '../../web/charts/sparkline.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml, formatNumber } from '../../web/layout.ts';
import { platformHealth } from '../api/platform-health.ts';
import { figures } from './figures.ts';
import { badge, id, moment, plainList, share, table } from './table.ts';
import type { Page, View } from './view.ts';

/** State, latest events and refusals of all platforms, silent ones first. */
export const healthPage: Page = async (view) => {
  const { text } = view;
  const { items, since } = await platformHealth.health(view);
  const countOf = (state: PlatformHealth['state']) =>
    items.filter((item) => item.state === state).length;
  return {
    title: text('플랫폼 상태', 'Platform health'),
    main: html`${figures([
        [text('무소식', 'Silent'), countOf('silent')],
        [text('연결 전', 'Never connected'), countOf('unused')],
        [text('정상', 'Live'), countOf('live')],
        [text('중지', 'Disabled'), countOf('disabled')],
      ])}
      ${table(view, {
        caption: text('무소식이 긴 순서', 'Longest silence first'),
        rows: items,
        file: 'health',
        empty: text('아직 플랫폼이 없습니다.', 'There are no platforms yet.'),
        columns: [
          [text('플랫폼', 'Platform'), nameCell],
          [text('상태', 'Status'), (item) => stateBadge(view, item)],
          [text('최근 28일 이벤트', 'Events, 28 days'), daysCell, 'number', (item) => sumOf(item)],
          [
            text('마지막 이벤트', 'Last event'),
            (item) => latest(item.last_event_at, item.last_event),
          ],
          [
            text('마지막 가입', 'Last registration'),
            (item) => latest(item.last_registration_at, item.last_registration),
          ],
          [text('거부', 'Refusals'), (item) => refusalsCell(view, item)],
          [
            text('통합 로그인 실패', 'Failed sign-ons'),
            ({ sso }) => share(sso.failures, sso.attempts),
          ],
          [text('API 키', 'API keys'), (item) => keysCell(view, item)],
        ],
      })}
      <p class="quiet">
        ${text('거부와 통합 로그인 실패는 서비스를 시작한', 'Refusals and failed sign-ons are counted since the service started,')}
        ${moment(since)}${text(' 뒤의 수이며, 다시 시작하면 0부터 셉니다. 운영자 키의 호출은 들어가지 않습니다.', ', and again from 0 after a restart. Calls with an operator’s key are not included.')}
      </p>`,
  };
};

type PlatformHealth = Awaited<ReturnType<typeof platformHealth.health>>['items'][number];

function nameCell({ name, platform }: PlatformHealth): Html {
  return html`<strong>${name}</strong> ${name === platform ? emptyHtml : id(platform)}`;
}

function stateBadge({ text }: View, { state, silent_days: days }: PlatformHealth): Html {
  if (state === 'disabled') return badge(text('중지', 'Disabled'));
  if (state === 'unused') return badge(text('연결 전', 'Never connected'), 'warn');
  return state === 'silent'
    ? badge(text(`${days}일째 무소식`, `Silent for ${days} days`), 'bad')
    : badge(text('정상', 'Live'), 'good');
}

function daysCell(item: PlatformHealth): Html {
  return html`<span class="with-spark"
    >${sparkline(item.events_by_day, { isLastPartial: true })} ${formatNumber(sumOf(item))}</span
  >`;
}

function sumOf({ events_by_day: days }: PlatformHealth): number {
  return days.reduce((total, count) => total + count, 0);
}

/** The exact time if it was after the start of the service, else the day. */
function latest(at: string | null, day: string | null): Html {
  return at === null ? html`${day ?? '–'}` : moment(at);
}

function refusalsCell({ text }: View, { refusals, calls }: PlatformHealth): Html | string {
  const counts = Object.entries(refusals).toSorted(([, one], [, other]) => other - one);
  if (counts.length === 0) return calls === 0 ? '–' : text('없음', 'None');
  const rest = counts.length - codesShownMax;
  return plainList([
    ...counts
      .slice(0, codesShownMax)
      .map(([code, count]) => html`${id(code)} ${formatNumber(count)}`),
    ...(rest > 0 ? [text(`그 밖에 ${rest}종`, `and ${rest} other codes`)] : []),
  ]);
}

const codesShownMax = 3;

function keysCell({ text }: View, { keys }: PlatformHealth): Html | string {
  if (keys.valid === 0) return badge(text('없음', 'None'), 'warn');
  const unused = text(`미사용 ${keys.never_used}개`, `${keys.never_used} never used`);
  return plainList([
    text(`${keys.valid}개`, `${keys.valid}`),
    ...(keys.last_used === null ? [] : [text(`사용 ${keys.last_used}`, `used ${keys.last_used}`)]),
    ...(keys.never_used === 0 ? [] : [badge(unused, 'warn')]),
  ]);
}
