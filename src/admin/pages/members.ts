import { emptyHtml, formatNumber } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import { memberReads } from '../api/members.ts';
import { serviceReads } from '../api/service.ts';
import type { AdminRouteName } from '../api/call.ts';
import { form } from './form.ts';
import {
  actionButton,
  actionLink,
  badge,
  breakableText,
  facts,
  id,
  moment,
  nextPageLink,
  number,
  plainList,
  table,
} from './table.ts';
import { memberFilter, memberFilterForm } from './member-filter.ts';
import { wordOf, cursorOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** Search forms, and all members in the order they joined. */
export const membersPage: Page = async (view) => {
  const { text } = view;
  const filter = memberFilter(view.query);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const {
    items,
    total,
    next_cursor: cursor,
  } = await memberReads.members({
    ...view,
    parameters: { ...filter, after: cursorOf(view, 'after') },
  });
  return {
    title: text('회원', 'Members'),
    main: html`${await searchForms(view)} ${await memberFilterForm(view)}
    ${membersTable(
      view,
      items,
      text(
        `전체 ${formatNumber(total)}명, 가입한 순서`,
        `${formatNumber(total)} members, in the order they joined`,
      ),
      isFiltered
        ? text('조건에 맞는 회원이 없습니다.', 'No member matches.')
        : text('아직 회원이 없습니다.', 'There are no members yet.'),
    )}
    ${nextPageLink(
      view,
      '/members',
      { name: 'after', cursor, query: { ...filter } },
      isFiltered ? text('이어서 찾기', 'Find more') : undefined,
    )}`,
  };
};

/** Members as a table, or the text `empty` if there are none. */
export function membersTable(
  view: View,
  rows: readonly MemberRow[],
  caption: string,
  empty: string,
): Html {
  const { text } = view;
  return table(view, {
    caption,
    rows,
    empty,
    columns: [
      ['svc_uid', ({ svc_uid: uid }) => html`<a href="/members/${uid}">${id(uid)}</a>`],
      [text('상태', 'Status'), ({ status }) => statusBadge(view, status)],
      [text('이메일', 'Email'), ({ email_masked: email }) => email ?? '–'],
      [text('등급', 'Tier'), ({ tier }) => tier],
      [text('플랫폼', 'Platforms'), ({ platforms }) => platforms.join(', ')],
      [text('가입', 'Joined'), (member) => moment(member.created_at)],
    ],
  });
}

type MemberRow = Awaited<ReturnType<typeof memberReads.search>>['items'][number];

/** Two forms to search for a member, below the `failure` of the previous search. */
export async function searchForms(view: View, failure: string | null = null): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.platforms(view);
  return html`<section class="find">
    <h2>${text('회원 찾기', 'Find a member')}</h2>
    ${failure === null ? emptyHtml : html`<div class="alert" role="alert"><p>${failure}</p></div>`}
    ${form({
      action: '/search',
      button: text('찾기', 'Find'),
      kind: 'inline',
      fields: [{ name: 'who', label: text('이메일 또는 svc_uid', 'Email or svc_uid') }],
    })}
    ${form({
      action: '/search',
      button: text('찾기', 'Find'),
      kind: 'inline',
      fields: [
        {
          name: 'platform',
          label: text('플랫폼', 'Platform'),
          kind: 'choice',
          options: items.map(({ code }) => ({ value: code, label: code })),
        },
        { name: 'local_user_id', label: text('플랫폼의 회원 번호', 'User id on the platform') },
      ],
    })}
  </section>`;
}

/** One member: status, actions, links, events and merges. */
export const memberPage: Page = async (view) => {
  const { text } = view;
  const requested = view.parameters['svc_uid']!;
  const parameters = { svc_uid: requested, before: cursorOf(view, 'before') };
  const member = await memberReads.member({ ...view, parameters });
  const { svc_uid: uid } = member;
  return {
    title: `${text('회원', 'Member')} ${uid.slice(0, 12)}…`,
    main: html`${
      uid === requested
        ? emptyHtml
        : html`<p class="notice">
            ${text(`${requested}은(는) 이 회원에 병합되었습니다.`, `${requested} was merged into this member.`)}
          </p>`
    }
    ${facts([
      ['svc_uid', id(uid)],
      [text('상태', 'Status'), statusBadge(view, member.status)],
      [text('이메일', 'Email'), member.email_masked ?? '–'],
      [text('등급', 'Tier'), member.tier],
      [text('이용권', 'Entitlements'), entitlementsText(view, member)],
      [text('플랫폼', 'Platforms'), member.platforms.join(', ')],
      [text('유효한 세션', 'Active sessions'), number(member.live_sessions)],
      [text('가입', 'Joined'), moment(member.created_at)],
      [text('회원 영역', 'Realm'), member.realm],
    ])}
    ${memberActions(view, uid, member.status === 'suspended')} ${linksTable(view, member)}
    ${grantsTable(view, member)} ${consentsTable(view, member)} ${sessionsTable(view, member)}
    ${timelineTable(view, member)}
    ${nextPageLink(
      view,
      `/members/${uid}`,
      { name: 'before', cursor: member.timeline_cursor },
      text('이전 이벤트', 'Earlier events'),
    )}
    ${mergesTable(view, member)}`,
  };
};

type ShownMember = Awaited<ReturnType<typeof memberReads.member>>;

function memberActions(view: View, uid: string, isSuspended: boolean): Html {
  const { text } = view;
  const link = (action: AdminRouteName, label: string, target = 'svc_uid') =>
    actionButton(view, action, label, { target: [target, uid] });
  return html`<section class="actions" aria-label="${text('작업', 'Actions')}">
    <p class="act">
      ${link('reveal', text('이메일 보기', 'Show the email'))}
      ${link('tier', text('등급 변경', 'Change the tier'))}
      ${link('grantEntitlement', text('이용권 부여', 'Grant an entitlement'))}
      ${link('endSessions', text('모든 세션 종료', 'End all sessions'))}
      ${link('export', text('정보 내보내기', 'Export'))}
      ${isSuspended ? link('restore', text('정지 해제', 'Lift the suspension')) : emptyHtml}
    </p>
    <p class="act danger">
      ${isSuspended ? emptyHtml : link('suspend', text('정지', 'Suspend'))}
      ${link('merge', text('다른 회원에 병합', 'Merge into another'), 'from')}
      ${link('erase', text('영구 삭제', 'Erase'))}
    </p>
  </section>`;
}

function linksTable(view: View, { memberships }: ShownMember): Html {
  const { text } = view;
  return table(view, {
    caption: text('플랫폼 연결', 'Platform links'),
    rows: memberships,
    file: 'links',
    empty: text('연결된 플랫폼이 없습니다.', 'There are no links.'),
    columns: [
      [text('플랫폼', 'Platform'), ({ platform }) => platform],
      [
        text('플랫폼의 회원 번호', 'User id on the platform'),
        (link) => id(link.local_user_id ?? '–'),
      ],
      [text('이메일', 'Email'), (link) => wordOf(view, words.assurance, link.email_assurance)],
      [text('연결 시각', 'Linked'), (link) => moment(link.linked_at)],
    ],
  });
}

/** Codes in force, sorted and without repetitions. */
function entitlementsText({ text }: View, { entitlements }: ShownMember): string {
  const codes = new Set(entitlements.map(({ code }) => code));
  return codes.size === 0 ? text('없음 (무료)', 'None (free tier)') : [...codes].sort().join(', ');
}

function grantsTable(view: View, { svc_uid: uid, entitlements, grants }: ShownMember): Html {
  const { text } = view;
  const isInForce = ({ code, granted_at: at }: { code: string; granted_at: string | null }) =>
    entitlements.some((one) => one.code === code && one.granted_at === at);
  return table(view, {
    caption: text('이용권 이력 (최신순)', 'Grants of entitlements, newest first'),
    rows: grants,
    file: 'entitlements',
    empty: text('부여한 이용권이 없습니다.', 'No entitlement was granted.'),
    columns: [
      [text('코드', 'Code'), ({ code }) => id(code)],
      [
        text('상태', 'Status'),
        (grant) =>
          isInForce(grant)
            ? badge(text('사용 가능', 'In force'), 'good')
            : badge(text('사용 불가', 'Not in force')),
      ],
      [text('부여한 곳', 'Source'), ({ source }) => source],
      [text('시작', 'From'), (grant) => moment(grant.from)],
      [text('끝', 'Until'), (grant) => moment(grant.until)],
      [text('변경·회수', 'Replaced or revoked'), (grant) => moment(grant.ended_at)],
      [text('부여', 'Granted'), (grant) => moment(grant.granted_at)],
      [
        text('작업', 'Actions'),
        (grant) =>
          isInForce(grant)
            ? html`<a href="/actions/revokeEntitlement?svc_uid=${uid}&amp;code=${grant.code}"
                >${text('회수', 'Revoke')}</a
              >`
            : '–',
        'action',
      ],
    ],
  });
}

function consentsTable(view: View, { consents }: ShownMember): Html {
  const { text } = view;
  return table(view, {
    caption: text('동의 이력 (최신순)', 'Consents, newest first'),
    rows: consents,
    file: 'consents',
    empty: text('저장된 동의가 없습니다.', 'No consent is stored.'),
    columns: [
      [text('목적', 'Purpose'), ({ purpose }) => id(purpose)],
      [
        text('상태', 'Status'),
        ({ granted, latest }) =>
          granted
            ? badge(text('동의', 'Given'), latest ? 'good' : undefined)
            : badge(text('철회·거부', 'Withdrawn'), latest ? 'bad' : undefined),
      ],
      [text('플랫폼', 'Platform'), ({ platform }) => platform],
      [text('동의문 버전', 'Text version'), ({ version }) => version ?? '–'],
      [text('시각', 'Time'), (consent) => moment(consent.given_at)],
      [
        text('구분', 'Kind'),
        ({ reminded }) => (reminded ? text('재확인', 'Reminder') : text('의사 표시', 'Statement')),
      ],
      [text('재확인 기한', 'Reminder due'), (consent) => moment(consent.reminder_due_at)],
    ],
  });
}

function sessionsTable(view: View, { sessions }: ShownMember): Html {
  const { text } = view;
  return table(view, {
    caption: text('유효한 세션 (최신순)', 'Active sessions, newest first'),
    rows: sessions,
    file: 'sessions',
    empty: text('유효한 세션이 없습니다.', 'There are no active sessions.'),
    columns: [
      [text('발급한 플랫폼', 'Issued by'), ({ platform }) => platform],
      [text('이메일', 'Email'), (one) => wordOf(view, words.assurance, one.email_assurance)],
      [text('발급', 'Issued'), (session) => moment(session.issued_at)],
      [text('만료', 'Expires'), (session) => moment(session.expires_at)],
      [text('세션 번호', 'Session id'), (session) => id(session.session_id)],
    ],
  });
}

function timelineTable(view: View, { timeline }: ShownMember): Html {
  const { text } = view;
  return table(view, {
    caption: text('이벤트 (최근에 일어난 순서)', 'Events, latest first'),
    rows: timeline,
    file: 'events',
    empty: text('아직 이벤트가 없습니다.', 'There are no events yet.'),
    columns: [
      [text('발생 시각', 'Occurred'), (event) => moment(event.occurred_at, 'second')],
      [text('이벤트', 'Event'), ({ event }) => wordOf(view, words.event, event)],
      [text('플랫폼', 'Platform'), ({ platform }) => platform],
      [text('내용 (meta)', 'Content (meta)'), ({ meta }) => metaCell(meta)],
      [text('보낸 곳', 'Source'), ({ source }) => wordOf(view, words.source, source)],
      [text('받은 시각', 'Received'), (event) => moment(event.received_at, 'second')],
      [text('이벤트 번호', 'Event id'), (event) => id(event.event_id)],
    ],
  });
}

/** The properties of an event, one a line. */
function metaCell(meta: Readonly<Record<string, unknown>> | null): Html {
  const entries = Object.entries(meta ?? {});
  return plainList(
    entries.map(([name, value]) =>
      breakableText(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ),
  );
}

/** Merges are undone in reverse order, so only the latest has an action. */
function mergesTable(view: View, { merges }: ShownMember): Html {
  const { text } = view;
  return table(view, {
    caption: text('병합', 'Merges'),
    rows: merges,
    file: 'merges',
    empty: text('이 회원에 병합된 회원이 없습니다.', 'No member was merged into this one.'),
    columns: [
      [text('병합 번호', 'Merge'), (merge) => String(merge.merge_id), 'number'],
      [text('병합 시각', 'Merged'), (merge) => moment(merge.merged_at)],
      [
        text('작업', 'Actions'),
        (merge) =>
          merge === merges[0]
            ? actionLink(
                view,
                'split',
                ['merge_id', String(merge.merge_id)],
                text('병합 취소', 'Undo'),
              )
            : '–',
        'action',
      ],
    ],
  });
}

function statusBadge({ text }: View, status: string): Html {
  return status === 'suspended'
    ? badge(text('정지', 'Suspended'), 'bad')
    : badge(text('정상', 'Active'), 'good');
}
