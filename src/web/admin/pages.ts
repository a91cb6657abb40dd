import { html } from 'hono/html';
import type { adminHandlers } from '../../members/http/admin-app.ts';
import { form, reasonField, shown, table, type AdminPage, type FormField } from './layout.ts';
import { formatted, type Html } from '../layout.ts';

/** Asks a handler of the JSON as the operator who is signed in. */
export type AdminAsk = (
  operation: keyof typeof adminHandlers,
  body?: Record<string, unknown>,
) => Promise<Readonly<Record<string, unknown>>>;

type Page = (
  ask: AdminAsk,
  parameters: Readonly<Record<string, string>>,
) => Promise<Pick<AdminPage, 'title' | 'main'>>;

/** The operator's pages by path. */
export const adminPages: Readonly<Record<string, Page>> = {
  '/': async (ask) => {
    const overview = await ask('overview');
    const weeks = rowsOf(overview['events_by_week']);
    const most = Math.max(1, ...weeks.map(({ events }) => Number(events)));
    return {
      title: '개요',
      main: html`<p>
          전체 여정 이벤트 <strong>${formatted(Number(overview['total_journey_events']))}</strong> ·
          회원 <strong>${formatted(Number(overview['members']))}</strong> · 세션
          <strong>${formatted(Number(overview['sessions']))}</strong>
        </p>
        ${counts('이벤트별', overview['by_event'])} ${counts('보낸 곳별', overview['by_source'])}
        ${counts('플랫폼별', overview['by_platform'])}
        <table>
          <caption>
            지난 12주
          </caption>
          <thead>
            <tr>
              <th scope="col">시작</th>
              <th scope="col">이벤트</th>
              <th scope="col">가입</th>
              <th scope="col">그림</th>
            </tr>
          </thead>
          <tbody>
            ${weeks.map(
              ({ from, events, registrations }) =>
                html`<tr>
                  <td>${shown(from)}</td>
                  <td>${shown(events)}</td>
                  <td>${shown(registrations)}</td>
                  <td>
                    <meter min="0" max="${most}" value="${shown(events)}">${shown(events)}</meter>
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    };
  },

  '/members': async (ask) => {
    const { items, total, next_cursor: next } = await ask('members');
    return {
      title: '회원',
      main: html`${form('/do/search', '찾기', [
          { name: 'svc_uid', label: 'svc_uid', required: false },
          { name: 'email', label: '이메일', required: false },
          { name: 'platform', label: '플랫폼', required: false },
          { name: 'local_user_id', label: '플랫폼의 회원 번호', required: false },
        ])}
        <p>모두 ${formatted(Number(total))}명</p>
        ${table('회원', rowsOf(items), ({ svc_uid: uid }) => `/members/${shown(uid)}`)}
        ${next === null ? html`` : html`<p><a href="/members?after=${shown(next)}">다음</a></p>`}
        <h2>두 회원을 하나로</h2>
        ${form('/do/merge', '보내기', [
          { name: 'from', label: '없어질 svc_uid' },
          { name: 'into', label: '남을 svc_uid' },
          { name: 'dry_run', label: '시험만 (true, false)', value: 'true' },
          back('/members'),
          reasonField,
        ])}`,
    };
  },

  '/members/{svc_uid}': async (ask, { svc_uid: uid = '' }) => {
    const { memberships, merges, timeline, timeline_cursor: next, ...member } = await ask('member');
    const fields: FormField[] = [
      { name: 'svc_uid', label: '', type: 'hidden', value: uid },
      back(`/members/${uid}`),
      reasonField,
    ];
    const deeds = {
      reveal: '이메일 보기',
      suspend: '정지',
      restore: '정지 해제',
      endSessions: '세션 끝내기',
      export: '내보내기',
      erase: '영구 삭제',
    };
    return {
      title: uid,
      main: html`${counts('회원', member)} ${table('연결', rowsOf(memberships))}
      ${table('최근 이벤트', rowsOf(timeline))}
      ${next === null ? html`` : html`<p><a href="/members/${uid}?before=${shown(next)}">이전 이벤트</a></p>`}
      ${table('병합', rowsOf(merges))}
      ${Object.entries(deeds).map(([name, label]) => form(`/do/${name}`, label, fields))}
      ${form('/do/tier', '등급 바꾸기', [{ name: 'tier', label: '등급' }, ...fields])}
      ${form('/do/split', '병합 되돌리기', [
        { name: 'merge_id', label: '병합 번호' },
        { name: 'dry_run', label: '시험만 (true, false)', value: 'true' },
        back(`/members/${uid}`),
        reasonField,
      ])}`,
    };
  },

  '/platforms': async (ask) => ({
    title: '플랫폼',
    main: html`${table('플랫폼', rowsOf((await ask('platforms'))['items']))}
      <h2>추가하거나 바꾸기</h2>
      ${form('/do/declarePlatform', '저장', [
        { name: 'code', label: '코드' },
        { name: 'name', label: '이름', required: false },
        { name: 'origins', label: '출처 (빈칸으로 나눔)', required: false },
        { name: 'assurance', label: 'trusted 또는 asserted', value: 'trusted' },
        { name: 'cookie_domain', label: '쿠키 도메인 안 (true, false)', value: 'true' },
        { name: 'capabilities', label: '할 수 있는 것 (card_issuer)', required: false },
        back('/platforms'),
        reasonField,
      ])}
      ${form('/do/disablePlatform', '중지', [{ name: 'code', label: '코드' }, back('/platforms'), reasonField])}
      ${form('/do/enablePlatform', '다시 허용', [{ name: 'code', label: '코드' }, back('/platforms'), reasonField])}`,
  }),

  '/keys': async (ask) => {
    const { items, next_cursor: next } = await ask('keys');
    return {
      title: '키',
      main: html`${table('키', rowsOf(items))}
        ${next === null ? html`` : html`<p><a href="/keys?after=${shown(next)}">다음</a></p>`}
        <h2>발급</h2>
        ${form('/do/issueKey', '발급', [
          { name: 'platform', label: '플랫폼 (모든 플랫폼을 위한 운영자 키는 operator)' },
          { name: 'scopes', label: '권한 (빈칸으로 나눔)', value: 'members:register events:write' },
          { name: 'label', label: '메모', required: false },
          back('/keys'),
          reasonField,
        ])}
        ${keyForm('rotateKey', '교체')} ${keyForm('revokeKey', '폐기')}
        ${keyForm('leakedKey', '유출 신고와 폐기')}`,
    };
  },

  '/webhooks': async (ask) => {
    const { endpoints, messages } = await ask('webhooks');
    return {
      title: '웹훅',
      main: html`${table('받는 곳', rowsOf(endpoints))} ${table('최근 전송', rowsOf(messages))}
      ${form('/do/addWebhook', '추가', [
        { name: 'url', label: 'https 주소' },
        { name: 'types', label: '종류 (빈칸으로 나눔)', value: 'member.created session.revoked' },
        back('/webhooks'),
        reasonField,
      ])}
      ${form('/do/replayMessage', '전송 되풀이', [
        { name: 'id', label: '전송 번호' },
        back('/webhooks'),
        reasonField,
      ])}`,
    };
  },

  '/jobs': async (ask) => ({
    title: '작업',
    main: html`${table('정리 작업', rowsOf((await ask('jobs'))['items']))}
    ${table('조회 서비스의 스냅샷', rowsOf((await ask('snapshots'))['items']))}
    ${table('조회 서비스의 수집', rowsOf((await ask('collections'))['items']))}
    ${table('호출 제한', rowsOf((await ask('limits'))['items']))}`,
  }),

  '/audit': async (ask) => {
    const { items, next_cursor: next } = await ask('audit');
    const verdict = await ask('verifyAudit');
    return {
      title: '감사 기록',
      main: html`<p>
          ${
            verdict['intact'] === true
              ? `온전합니다: ${shown(verdict['rows'])}건`
              : `${shown(verdict['faultAt'])}번에서 깨졌습니다.`
          }
        </p>
        ${table('기록', rowsOf(items))}
        ${next === null ? html`` : html`<p><a href="/audit?after=${shown(next)}">다음</a></p>`}`,
    };
  },
};

function counts(caption: string, values: unknown): Html {
  // Objects that the handlers answer.
  const entries = Object.entries(values as Readonly<Record<string, unknown>>);
  return table(
    caption,
    entries.map(([name, value]) => ({ 이름: name, 값: value })),
  );
}

function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
}

function back(path: string): FormField {
  return { name: 'back', label: '', type: 'hidden', value: path };
}

function keyForm(operation: string, button: string): Html {
  return form(`/do/${operation}`, button, [
    { name: 'kid', label: '키 번호' },
    back('/keys'),
    reasonField,
  ]);
}
