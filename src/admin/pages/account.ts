import { html, type Html } from '../../web/html.ts';
import { operatorReads } from '../api/operators.ts';
import { passkeyReads } from '../api/passkeys.ts';
import { passkeySiteNote } from './passkey-button.ts';
import { actionButton, actionLink, facts, moment, plainList, tableAlone } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The signed-in operator's own account. */
export const accountPage: Page = async (view) => {
  const { text } = view;
  const account = await operatorReads.session(view);
  const hasApp = account.second_factor;
  return {
    title: text('내 계정', 'Your account'),
    main: html`${facts([
        [text('이름', 'Name'), account.operator],
        [text('역할', 'Role'), wordOf(view, words.role, account.role)],
        [text('인증 앱', 'Authenticator app'), hasApp ? text('사용', 'Yes') : text('없음', 'No')],
      ])}
      <p class="act">
        ${actionButton(view, 'changePassphrase', text('암호 변경', 'Change the passphrase'))}
        ${actionButton(
          view,
          'enableTotp',
          hasApp
            ? text('인증 앱 바꾸기', 'Replace the authenticator app')
            : text('인증 앱 등록', 'Set up an authenticator app'),
        )}
        ${hasApp ? actionButton(view, 'disableTotp', text('인증 앱 해제', 'Remove the authenticator app'), { isDangerous: true }) : ''}
      </p>
      ${await passkeySection(view)}`,
  };
};

async function passkeySection(view: View): Promise<Html> {
  const { text, language } = view;
  const { items } = await passkeyReads.passkeys(view);
  return html`<h2>${text('패스키', 'Passkeys')}</h2>
    ${tableAlone(view, {
      caption: text('패스키', 'Passkeys'),
      rows: items,
      empty: text(
        '등록한 패스키가 없습니다. 패스키를 쓰면 지문이나 얼굴, PIN만으로 로그인합니다.',
        'None yet. A passkey signs you in by fingerprint, face or PIN alone.',
      ),
      columns: [
        [text('이름', 'Name'), ({ name }) => name],
        [
          text('종류', 'Kind'),
          ({ kind }) =>
            kind === 'synced'
              ? text('여러 기기에 동기화', 'Synced between devices')
              : text('한 기기에만', 'On one device'),
        ],
        [text('등록', 'Added'), (row) => moment(row.created_at)],
        [text('마지막 사용', 'Last used'), (row) => moment(row.last_used_at)],
        [
          text('작업', 'Actions'),
          ({ id, name }) =>
            plainList([
              actionLink(
                view,
                'renamePasskey',
                ['passkey_id', id, name],
                text('이름 변경', 'Rename'),
              ),
              actionLink(view, 'removePasskey', ['passkey_id', id, name], text('삭제', 'Remove')),
            ]),
        ],
      ],
    })}
    ${
      view.isAtParty
        ? html`<p class="act">
            ${actionButton(view, 'offerPasskey', text('패스키 추가', 'Add a passkey'))}
          </p>`
        : passkeySiteNote(language, view.party, '/account')
    }`;
}
