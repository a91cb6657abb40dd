import { nothing, formatted } from '../../web/layout.ts';
import { form } from './form.ts';
import { badge, deedLink, facts, furtherLink, id, moment, number, table } from './table.ts';
import { rowsOf, textOf, textsOf, wordOf, type Page, type Row, type View } from './view.ts';
import { words } from './words.ts';
import { html, type Html } from '../../web/html.ts';

/** Looks for a member, and lists them in the order they joined. */
export const membersPage: Page = async (view) => {
  const { ask, say, query } = view;
  const after = query.get('after');
  const {
    items,
    total,
    next_cursor: next,
  } = await ask('members', { query: after === null ? {} : { after } });
  return {
    title: say('회원', 'Members'),
    main: html`${await searchForms(view)}
    ${table({
      caption: say(
        `모두 ${formatted(Number(total))}명, 가입한 순서로`,
        `${formatted(Number(total))} in all, in the order they joined`,
      ),
      rows: rowsOf(items),
      empty: say('아직 회원이 없습니다.', 'There are no members yet.'),
      columns: [
        {
          label: 'svc_uid',
          cell: ({ svc_uid: uid }) => html`<a href="/members/${textOf(uid)}">${id(uid)}</a>`,
        },
        { label: say('상태', 'Status'), cell: ({ status }) => statusBadge(view, status) },
        {
          label: say('이메일', 'Address'),
          cell: ({ email_masked: email }) => textOf(email) || '–',
        },
        { label: say('등급', 'Tier'), cell: ({ tier }) => textOf(tier) },
        {
          label: say('플랫폼', 'Platforms'),
          cell: ({ platforms }) => textsOf(platforms).join(', '),
        },
        { label: say('가입', 'Joined'), cell: (member) => moment(member['created_at']) },
      ],
    })}
    ${furtherLink(view, '/members', { after: next })}`,
  };
};

/** Looks for a member by what a person or a platform calls them; `fault` is said when that led to nobody. */
export async function searchForms(view: View, fault: string | null = null): Promise<Html> {
  const { ask, say } = view;
  const platforms = rowsOf((await ask('platforms'))['items']).map(({ code }) => textOf(code));
  return html`<section class="find">
    <h2>${say('회원 찾기', 'Find a member')}</h2>
    ${fault === null ? nothing : html`<div class="alert" role="alert"><p>${fault}</p></div>`}
    ${form({
      action: '/do/search',
      button: say('찾기', 'Find'),
      kind: 'inline',
      fields: [{ name: 'who', label: say('이메일 또는 svc_uid', 'Address or svc_uid') }],
    })}
    ${form({
      action: '/do/search',
      button: say('찾기', 'Find'),
      kind: 'inline',
      fields: [
        {
          name: 'platform',
          label: say('플랫폼', 'Platform'),
          kind: 'choice',
          options: platforms.map((code) => ({ value: code, label: code })),
        },
        { name: 'local_user_id', label: say('그 플랫폼의 회원 번호', 'User id there') },
      ],
    })}
  </section>`;
}

/** One member: how they stand, their links, events and merges, and what can be done. */
export const memberPage: Page = async (view) => {
  const { ask, say, query, parameters } = view;
  const asked = parameters['svc_uid'] ?? '';
  const before = query.get('before');
  const member = await ask('member', {
    parameters: { svc_uid: asked },
    query: before === null ? {} : { before },
  });
  const uid = textOf(member['svc_uid']);
  return {
    title: `${say('회원', 'Member')} ${uid.slice(0, 12)}…`,
    main: html`${
      uid === asked
        ? nothing
        : html`<p class="notice">
            ${say(`${asked}는 이 회원에 합쳐졌습니다.`, `${asked} was merged into this member.`)}
          </p>`
    }
    ${facts([
      ['svc_uid', id(uid)],
      [say('상태', 'Status'), statusBadge(view, member['status'])],
      [say('이메일', 'Address'), textOf(member['email_masked']) || '–'],
      [say('등급', 'Tier'), textOf(member['tier'])],
      [say('플랫폼', 'Platforms'), textsOf(member['platforms']).join(', ')],
      [say('살아 있는 세션', 'Live sessions'), number(member['live_sessions'])],
      [say('가입', 'Joined'), moment(member['created_at'])],
      [say('영역', 'Realm'), textOf(member['realm'])],
    ])}
    ${actions(view, uid, member['status'] === 'suspended')} ${linksTable(view, member)}
    ${timelineTable(view, member)}
    ${furtherLink(view, `/members/${uid}`, { before: member['timeline_cursor'] }, say('이전 이벤트', 'Earlier events'))}
    ${mergesTable(view, rowsOf(member['merges']))}`,
  };
};

function actions({ say }: View, uid: string, isSuspended: boolean): Html {
  const link = (operation: string, label: string, subject = 'svc_uid') =>
    html`<a class="button" href="/deeds/${operation}?${subject}=${uid}">${label}</a>`;
  return html`<section class="actions" aria-label="${say('할 수 있는 일', 'Actions')}">
    <p class="act">
      ${link('reveal', say('이메일 보기', 'Show the address'))}
      ${link('tier', say('등급 변경', 'Change the tier'))}
      ${link('endSessions', say('세션 모두 끝내기', 'End every session'))}
      ${link('export', say('내보내기', 'Export'))}
      ${isSuspended ? link('restore', say('정지 해제', 'Lift the suspension')) : nothing}
    </p>
    <p class="act danger">
      ${isSuspended ? nothing : link('suspend', say('정지', 'Suspend'))}
      ${link('merge', say('다른 회원에 병합', 'Merge into another'), 'from')}
      ${link('erase', say('영구 삭제', 'Erase for good'))}
    </p>
  </section>`;
}

function linksTable(view: View, member: Row): Html {
  const { say } = view;
  return table({
    caption: say('연결', 'Links'),
    rows: rowsOf(member['memberships']),
    empty: say('연결된 플랫폼이 없습니다.', 'There are no links.'),
    columns: [
      { label: say('플랫폼', 'Platform'), cell: ({ platform }) => textOf(platform) },
      {
        label: say('회원 번호', 'User id there'),
        cell: (link) => id(link['local_user_id'] ?? '–'),
      },
      {
        label: say('이메일', 'Address'),
        cell: (link) => wordOf(view, words.assurance, link['email_assurance']),
      },
      { label: say('연결', 'Linked'), cell: (link) => moment(link['linked_at']) },
    ],
  });
}

function timelineTable(view: View, member: Row): Html {
  const { say } = view;
  return table({
    caption: say('이벤트, 새로 온 것부터', 'Events, the newest to arrive first'),
    rows: rowsOf(member['timeline']),
    empty: say('아직 이벤트가 없습니다.', 'There are no events yet.'),
    columns: [
      {
        label: say('일어난 때', 'Happened'),
        cell: (event) => moment(event['occurred_at'], 'second'),
      },
      { label: say('이벤트', 'Event'), cell: ({ event }) => wordOf(view, words.event, event) },
      { label: say('플랫폼', 'Platform'), cell: ({ platform }) => textOf(platform) },
      { label: say('보낸 곳', 'Source'), cell: ({ source }) => wordOf(view, words.source, source) },
      { label: say('번호', 'Id'), cell: (event) => id(event['event_id']) },
    ],
  });
}

/** The latest is undone first. */
function mergesTable({ say }: View, rows: readonly Row[]): Html {
  return table({
    caption: say('병합', 'Merges'),
    rows,
    empty: say('이 회원에 합쳐진 회원이 없습니다.', 'No member was merged into this one.'),
    columns: [
      {
        label: say('병합 번호', 'Merge'),
        isNumber: true,
        cell: (merge) => textOf(merge['merge_id']),
      },
      { label: say('합친 때', 'Merged'), cell: (merge) => moment(merge['merged_at']) },
      {
        label: say('하기', 'Actions'),
        cell: (merge) =>
          merge === rows[0]
            ? deedLink('split', { merge_id: merge['merge_id'] }, say('되돌리기', 'Undo'))
            : '–',
      },
    ],
  });
}

function statusBadge({ say }: View, status: unknown): Html {
  return status === 'suspended'
    ? badge(say('정지', 'Suspended'), 'bad')
    : badge(say('정상', 'Active'), 'good');
}
