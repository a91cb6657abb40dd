import type { Platform } from '../../members/store/entities.ts';
import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import { actionButton, actionLink, badge, id, plainList, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The platforms, with their settings. */
export const platformsPage: Page = async (view) => {
  const { text } = view;
  const { items } = await serviceReads.platforms(view);
  return {
    title: text('플랫폼', 'Platforms'),
    main: html`${table(view, {
        caption: text('등록된 플랫폼', 'Registered platforms'),
        rows: items,
        file: 'platforms',
        empty: text('아직 플랫폼이 없습니다.', 'There are no platforms yet.'),
        columns: [
          [text('코드', 'Code'), ({ code }) => id(code)],
          [text('이름', 'Name'), ({ name }) => name],
          [
            text('상태', 'Status'),
            ({ disabled }) =>
              disabled
                ? badge(text('중지', 'Disabled'), 'bad')
                : badge(text('사용 중', 'Enabled'), 'good'),
          ],
          [text('작업', 'Actions'), (row) => platformActions(view, row), 'action'],
          [text('허용 출처 (Origin)', 'Allowed origins'), ({ origins }) => plainList(origins)],
          [
            text('통합 로그인', 'Single sign-on'),
            ({ cookieDomain }) =>
              cookieDomain
                ? text('사용', 'Yes')
                : text('쿠키 도메인 밖', 'Outside the cookie domain'),
          ],
          [text('회사', 'Company'), ({ company }) => company ?? '–'],
          [
            text('페이지 통계', 'Statistics in pages'),
            ({ pageStats }) => (pageStats ? text('공개', 'Open') : text('비공개', 'Closed')),
          ],
          [text('이메일', 'Email'), ({ assurance }) => wordOf(view, words.assurance, assurance)],
          [
            text('추가 기능', 'Capabilities'),
            ({ capabilities }) =>
              plainList(capabilities.map((name) => wordOf(view, words.capability, name))),
          ],
          [text('회원 영역', 'Realm'), ({ realm }) => realm],
        ],
      })}
      <p class="act">
        ${actionButton(view, 'declarePlatform', text('플랫폼 추가', 'Add a platform'))}
        ${actionButton(view, 'endManySessions', text('세션 일괄 종료', 'End sessions'), { isDangerous: true })}
      </p>`,
  };
};

function platformActions(view: View, { code, disabled }: Platform): Html {
  const { text } = view;
  return plainList([
    actionLink(view, 'declarePlatform', ['code', code], text('변경', 'Change')),
    disabled
      ? actionLink(view, 'enablePlatform', ['code', code], text('중지 해제', 'Enable'))
      : actionLink(view, 'disablePlatform', ['code', code], text('중지', 'Disable')),
    actionLink(view, 'endManySessions', ['platform', code], text('세션 종료', 'End sessions')),
  ]);
}
