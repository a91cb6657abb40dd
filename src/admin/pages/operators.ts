import { html } from '../../web/html.ts';
import { operatorReads } from '../api/operators.ts';
import { actionButton, actionLink, badge, moment, number, plainList, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The operators, for owners. */
export const operatorsPage: Page = async (view) => {
  const { text } = view;
  const { items } = await operatorReads.operators(view);
  return {
    title: text('운영자', 'Operators'),
    main: html`<p class="act">
        ${actionButton(view, 'addOperator', text('운영자 추가', 'Add an operator'))}
      </p>
      ${table(view, {
        caption: text('등록된 운영자', 'Registered operators'),
        rows: items,
        file: 'operators',
        empty: '',
        columns: [
          [text('이름', 'Name'), ({ name }) => name],
          [text('역할', 'Role'), ({ role }) => wordOf(view, words.role, role)],
          [text('상태', 'Status'), ({ status }) => statusBadge(view, status)],
          [
            text('작업', 'Actions'),
            ({ name }) =>
              plainList([
                actionLink(view, 'changeOperator', ['name', name], text('변경', 'Change')),
                actionLink(view, 'removeOperator', ['name', name], text('삭제', 'Remove')),
              ]),
            'action',
          ],
          [
            text('인증 앱', 'Authenticator app'),
            ({ second_factor: has }) => (has ? text('사용', 'Yes') : text('없음', 'No')),
          ],
          [text('패스키', 'Passkeys'), ({ passkeys }) => number(passkeys), 'number'],
          [text('추가 시각', 'Added'), (row) => moment(row.created_at)],
          [text('토큰 만료', 'Token ends'), (row) => moment(row.invitation_ends_at)],
        ],
      })}`,
  };
};

type Status = Awaited<ReturnType<typeof operatorReads.operators>>['items'][number]['status'];

function statusBadge({ text }: View, status: Status) {
  return {
    active: badge(text('사용 중', 'Active'), 'good'),
    invited: badge(text('초대됨', 'Invited')),
    invitation_ended: badge(text('토큰 만료', 'Token ended'), 'warn'),
  }[status];
}
