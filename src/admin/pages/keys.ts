import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import {
  actionButton,
  actionLink,
  badge,
  id,
  plainList,
  moment,
  nextPageLink,
  table,
} from './table.ts';
import { cursorOf, type Page, type View } from './view.ts';

/** The platforms' API keys, newest first. */
export const keysPage: Page = async (view) => {
  const { text } = view;
  const { items, next_cursor: cursor } = await serviceReads.keys({
    ...view,
    parameters: { after: cursorOf(view, 'after') },
  });
  return {
    title: text('API 키', 'API keys'),
    main: html`<p class="act">
        ${actionButton(view, 'issueKey', text('API 키 발급', 'Issue an API key'))}
      </p>
      ${table(view, {
        caption: text('발급한 키', 'Issued keys'),
        rows: items,
        file: 'keys',
        empty: text('아직 발급한 키가 없습니다.', 'No keys have been issued yet.'),
        columns: [
          [text('키 번호', 'Key id'), ({ kid }) => id(kid)],
          [
            text('플랫폼', 'Platform'),
            (key) =>
              key.operator_key
                ? badge(text('모든 플랫폼', 'Every platform'), 'warn')
                : (key.platform ?? '–'),
          ],
          [text('상태', 'Status'), (key) => statusBadges(view, key)],
          [text('작업', 'Actions'), (key) => keyActions(view, key), 'action'],
          [text('메모', 'Note'), ({ label }) => label || '–'],
          [text('마지막 사용', 'Last used'), (key) => key.last_used ?? '–'],
          [
            text('권한', 'Scopes'),
            ({ scopes }) => html`<code class="long">${scopes.join(', ')}</code>`,
          ],
          [text('발급', 'Issued'), (key) => moment(key.created_at)],
          [text('만료', 'Expires'), (key) => moment(key.expires_at)],
          [text('폐기', 'Revoked'), (key) => moment(key.revoked_at)],
        ],
      })}
      ${nextPageLink(view, '/keys', { name: 'after', cursor })}`,
  };
};

type ListedKey = Awaited<ReturnType<typeof serviceReads.keys>>['items'][number];

function statusBadges({ text }: View, key: ListedKey): Html {
  const status = {
    revoked: badge(text('폐기', 'Revoked')),
    expired: badge(text('만료', 'Expired')),
    ending: badge(text('만료 예정', 'Expiring'), 'warn'),
    live: badge(text('사용 가능', 'Active'), 'good'),
  }[key.status];
  return plainList([
    ...(key.leaked_at === null ? [] : [badge(text('유출', 'Leaked'), 'bad')]),
    status,
    ...(key.seen_in_browser === null
      ? []
      : [badge(text('브라우저에서 사용됨', 'Used in a browser'), 'bad')]),
  ]);
}

function keyActions(view: View, { kid, status }: ListedKey): Html | string {
  const { text } = view;
  if (status === 'revoked' || status === 'expired') return '–';
  return plainList([
    actionLink(view, 'rotateKey', ['kid', kid], text('교체', 'Rotate')),
    actionLink(view, 'revokeKey', ['kid', kid], text('폐기', 'Revoke')),
    actionLink(view, 'leakedKey', ['kid', kid], text('유출된 키 폐기', 'Revoke as leaked')),
  ]);
}
