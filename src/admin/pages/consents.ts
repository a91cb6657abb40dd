import { html } from '../../web/html.ts';
import { memberReads } from '../api/members.ts';
import {
  actionButton,
  actionLink,
  badge,
  id,
  moment,
  nextPageLink,
  plainList,
  table,
} from './table.ts';
import { cursorOf, type Page } from './view.ts';

/** The purposes of consents, and the consents to marketing of which members must be reminded. */
export const consentsPage: Page = async (view) => {
  const { text, language } = view;
  const purposes = await memberReads.consentPurposes(view);
  const after = cursorOf(view, 'after');
  const due = await memberReads.dueConsents({ ...view, parameters: { after } });
  return {
    title: text('동의', 'Consents'),
    main: html`${table(view, {
        caption: text('동의 목적', 'Purposes'),
        rows: purposes.items,
        file: 'purposes',
        empty: text(
          '정한 동의 목적이 없어 플랫폼이 보낸 모든 코드를 저장합니다.',
          'No purpose is defined, so every code that platforms send is stored.',
        ),
        columns: [
          [text('코드', 'Code'), ({ code }) => id(code)],
          [text('이름', 'Name'), ({ name }) => name[language]],
          [
            text('상태', 'Status'),
            ({ retired }) =>
              retired ? badge(text('종료', 'Retired')) : badge(text('사용 중', 'In use'), 'good'),
          ],
          [
            text('종류', 'Kind'),
            ({ required, marketing }) =>
              plainList([
                required ? text('필수', 'Required') : text('선택', 'Optional'),
                ...(marketing ? [text('광고성 정보 수신', 'Marketing')] : []),
              ]),
          ],
          [
            text('제3자 제공', 'Recipients'),
            ({ recipients }) =>
              recipients === null
                ? '–'
                : plainList([
                    ...recipients.platforms,
                    ...recipients.realms.map((realm) => text(`영역 ${realm}`, `realm ${realm}`)),
                  ]),
          ],
          [
            text('동의문 버전', 'Text versions'),
            ({ versions }) =>
              plainList(
                versions.map(({ version, effective }) => html`${id(version)} ${moment(effective)}`),
              ),
          ],
          [
            text('작업', 'Actions'),
            ({ code }) =>
              actionLink(view, 'declarePurpose', ['code', code], text('변경', 'Change')),
            'action',
          ],
        ],
      })}
      <p class="act">
        ${actionButton(view, 'declarePurpose', text('동의 목적 추가', 'Add a purpose'))}
      </p>
      ${table(view, {
        caption: text('수신동의 재확인 대상', 'Reminders due'),
        rows: due.items,
        file: 'reminders-due',
        empty: text('재확인할 동의가 없습니다.', 'No reminder is due.'),
        columns: [
          ['svc_uid', ({ svc_uid: uid }) => html`<a href="/members/${uid}">${id(uid)}</a>`],
          [text('플랫폼', 'Platform'), ({ platform }) => platform],
          [
            text('플랫폼의 회원 번호', 'User id on the platform'),
            (consent) => id(consent.local_user_id ?? '–'),
          ],
          [text('목적', 'Purpose'), ({ purpose }) => id(purpose)],
          [text('동의 시각', 'Given'), (consent) => moment(consent.given_at)],
          [text('재확인 기한', 'Due'), (consent) => moment(consent.due_at)],
        ],
      })}
      ${nextPageLink(view, '/consents', { name: 'after', cursor: due.next_cursor })}`,
  };
};
