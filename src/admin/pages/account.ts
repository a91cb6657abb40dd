import { html } from '../../web/html.ts';
import { operatorReads } from '../api/operators.ts';
import { facts } from './table.ts';
import { wordOf, type Page } from './view.ts';
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
        <a class="button" href="/actions/changePassphrase"
          >${text('암호 변경', 'Change the passphrase')}</a
        >
        <a class="button" href="/actions/enableTotp"
          >${
            hasApp
              ? text('인증 앱 바꾸기', 'Replace the authenticator app')
              : text('인증 앱 등록', 'Set up an authenticator app')
          }</a
        >
        ${hasApp ? html`<a class="button danger" href="/actions/disableTotp">${text('인증 앱 해제', 'Remove the authenticator app')}</a>` : ''}
      </p>`,
  };
};
