import { adminContract } from '../../contract/admin.ts';
import { html, type Html } from '../../web/html.ts';
import { operatorReads } from '../api/operators.ts';
import { form } from './form.ts';
import { csvAction } from './sheet-csv.ts';
import {
  badge,
  breakableText,
  id,
  moment,
  nextPageLink,
  number,
  plainList,
  searchOf,
  table,
} from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The access log, newest first: the operator, the action, the members, the time and the address. */
export const accessLogPage: Page = async (view) => {
  const { text, query } = view;
  const filter = accessFilter(query);
  const parameters = { ...filter, before: query.get('before') ?? undefined };
  const { items, next_cursor: cursor } = await operatorReads.accessLog({ ...view, parameters });
  return {
    title: text('접속기록', 'Access log'),
    main: html`<section class="find">
        ${form({
          action: '/access-log',
          method: 'get',
          button: text('찾기', 'Find'),
          kind: 'inline',
          fields: [
            {
              name: 'svc_uid',
              label: text('회원의 svc_uid', 'svc_uid of the member'),
              values: [filter.svc_uid ?? ''],
              isOptional: true,
            },
            {
              name: 'operator',
              label: text('운영자', 'Operator'),
              values: [filter.operator ?? ''],
              isOptional: true,
            },
          ],
        })}
      </section>
      ${table(view, {
        caption: text(
          '운영자의 로그인과 회원 정보 처리 (최신순)',
          'Sign-ins and use of members’ data, newest first',
        ),
        rows: items,
        empty: text('기록이 없습니다.', 'There are no entries.'),
        columns: [
          [text('번호', 'Number'), ({ seq }) => number(seq), 'number'],
          [text('시각', 'Time'), ({ at }) => moment(at, 'second')],
          [text('운영자', 'Operator'), ({ operator }) => operator || '–'],
          [text('업무', 'Action'), (row) => actionCell(view, row)],
          [text('정보주체', 'Members'), ({ members }) => membersCell(view, members)],
          [text('접속지', 'Address'), ({ address }) => breakableText(address)],
          [text('브라우저', 'Browser'), ({ device }) => (device === '' ? '–' : id(device))],
        ],
      })}
      ${nextPageLink(view, '/access-log', { name: 'before', cursor, query: filter })}
      <p class="act">
        <a class="button" href="/access-log.csv?${searchOf(filter)}"
          >${text('CSV로 내려받기', 'Download as CSV')}</a
        >
      </p>`,
  };
};

/** The filter of the access log, from the query of a page. */
export function accessFilter(query: URLSearchParams): AccessFilter {
  return {
    operator: query.get('operator')?.trim() || undefined,
    svc_uid: query.get('svc_uid')?.trim() || undefined,
  };
}

/** Label of an action in the access log. */
export function accessLabel(view: Pick<View, 'language'>, action: string): string {
  if (action.startsWith(csvAction)) {
    const name = action.slice(csvAction.length);
    return view.language === 'ko' ? `CSV 내려받기 (${name})` : `CSV downloaded (${name})`;
  }
  const route = Object.hasOwn(adminContract, action)
    ? adminContract[action as keyof typeof adminContract]
    : null;
  return route?.purpose[view.language] ?? wordOf(view, words.access, action);
}

type AccessFilter = {
  readonly operator: string | undefined;
  readonly svc_uid: string | undefined;
};

type Entry = Awaited<ReturnType<typeof operatorReads.accessLog>>['items'][number];

function actionCell(view: View, { action, intact }: Entry): Html | string {
  const label = accessLabel(view, action);
  if (action === 'sign_in_failed') return badge(label, 'warn');
  if (intact) return label;
  return html`${label} ${badge(view.text('변조 의심', 'Altered'), 'bad')}`;
}

function membersCell({ text }: View, members: readonly string[]): Html | string {
  if (members.length === 0) return '–';
  const links = plainList(members.map((uid) => html`<a href="/members/${uid}">${id(uid)}</a>`));
  if (members.length <= membersShownMax) return links;
  return html`<details>
    <summary>${text(`${members.length}명`, `${members.length} members`)}</summary>
    ${links}
  </details>`;
}

const membersShownMax = 2;
