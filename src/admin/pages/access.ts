import { badge, deedLink, furtherLink, id, listed, moment, table } from './table.ts';
import { rowsOf, textOf, textsOf, wordOf, type Page, type Row, type View } from './view.ts';
import { words } from './words.ts';
import { html, type Html } from '../../web/html.ts';

/** The platforms, with what each may do. */
export const platformsPage: Page = async (view) => {
  const { ask, say } = view;
  return {
    title: say('플랫폼', 'Platforms'),
    main: html`${table({
        caption: say('통합된 플랫폼', 'Integrated platforms'),
        rows: rowsOf((await ask('platforms'))['items']),
        empty: say('아직 플랫폼이 없습니다.', 'There are no platforms yet.'),
        columns: [
          { label: say('코드', 'Code'), cell: ({ code }) => id(code) },
          { label: say('이름', 'Name'), cell: ({ name }) => textOf(name) },
          {
            label: say('상태', 'Status'),
            cell: ({ disabled }) =>
              disabled === true
                ? badge(say('중지', 'Disabled'), 'bad')
                : badge(say('켜짐', 'On'), 'good'),
          },
          { label: say('하기', 'Actions'), cell: (row) => platformActions(view, row) },
          { label: say('출처', 'Origins'), cell: ({ origins }) => listed(textsOf(origins)) },
          {
            label: say('통합 로그인', 'Single sign-on'),
            cell: ({ cookieDomain }) =>
              cookieDomain === true
                ? say('씀', 'Yes')
                : say('쿠키 도메인 밖', 'Outside the cookie domain'),
          },
          {
            label: say('이메일', 'Addresses'),
            cell: ({ assurance }) => wordOf(view, words.assurance, assurance),
          },
          {
            label: say('할 수 있는 것', 'Capabilities'),
            cell: ({ capabilities }) =>
              listed(textsOf(capabilities).map((name) => wordOf(view, words.capability, name))),
          },
          { label: say('영역', 'Realm'), cell: ({ realm }) => textOf(realm) },
        ],
      })}
      <p class="act">
        <a class="button" href="/deeds/declarePlatform">${say('플랫폼 추가', 'Add a platform')}</a>
      </p>`,
  };
};

/** The keys, the newest first. */
export const keysPage: Page = async (view) => {
  const { ask, say, query } = view;
  const after = query.get('after');
  const { items, next_cursor: next } = await ask('keys', {
    query: after === null ? {} : { after },
  });
  return {
    title: say('키', 'Keys'),
    main: html`<p class="act">
        <a class="button" href="/deeds/issueKey">${say('키 발급', 'Issue a key')}</a>
      </p>
      ${table({
        caption: say('발급한 키', 'Keys issued'),
        rows: rowsOf(items),
        empty: say('아직 키가 없습니다.', 'There are no keys yet.'),
        columns: [
          { label: say('키 번호', 'Key id'), cell: ({ kid }) => id(kid) },
          {
            label: say('플랫폼', 'Platform'),
            cell: (key) =>
              key['operator_key'] === true
                ? badge(say('모든 플랫폼', 'Every platform'), 'warn')
                : textOf(key['platform']),
          },
          { label: say('상태', 'Status'), cell: (key) => keyBadges(view, key) },
          { label: say('하기', 'Actions'), cell: (key) => keyActions(view, key) },
          { label: say('메모', 'Note'), cell: ({ label }) => textOf(label) || '–' },
          {
            label: say('마지막 사용', 'Last used'),
            cell: (key) => textOf(key['last_used']) || '–',
          },
          {
            label: say('권한', 'Scopes'),
            cell: ({ scopes }) => html`<code class="long">${textsOf(scopes).join(', ')}</code>`,
          },
          { label: say('발급', 'Issued'), cell: (key) => moment(key['created_at']) },
          { label: say('끝나는 때', 'Expires'), cell: (key) => moment(key['expires_at']) },
          { label: say('폐기', 'Revoked'), cell: (key) => moment(key['revoked_at']) },
        ],
      })}
      ${furtherLink(view, '/keys', { after: next })}`,
  };
};

function platformActions({ say }: View, { code, disabled }: Row): Html {
  return listed([
    deedLink('declarePlatform', { code }, say('변경', 'Change')),
    disabled === true
      ? deedLink('enablePlatform', { code }, say('다시 허용', 'Enable'))
      : deedLink('disablePlatform', { code }, say('중지', 'Disable')),
  ]);
}

function keyBadges({ say }: View, key: Row): Html {
  const badges = [
    key['leaked_at'] === null ? null : badge(say('유출', 'Leaked'), 'bad'),
    key['status'] === 'revoked' ? badge(say('폐기', 'Revoked')) : null,
    key['status'] === 'expired' ? badge(say('끝남', 'Expired')) : null,
    key['status'] === 'ending' ? badge(say('끝나는 중', 'Ending'), 'warn') : null,
    key['status'] === 'live' ? badge(say('쓸 수 있음', 'Live'), 'good') : null,
    key['seen_in_browser'] === null
      ? null
      : badge(say('브라우저에서 쓰임', 'Seen in a browser'), 'bad'),
  ];
  return listed(badges.filter((each) => each !== null));
}

function keyActions({ say }: View, { kid, status }: Row): Html | string {
  if (status === 'revoked' || status === 'expired') return '–';
  return listed([
    deedLink('rotateKey', { kid }, say('교체', 'Rotate')),
    deedLink('revokeKey', { kid }, say('폐기', 'Revoke')),
    deedLink('leakedKey', { kid }, say('유출되어 폐기', 'Leaked: revoke')),
  ]);
}
