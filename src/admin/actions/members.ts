import { Problem } from '../../kernel/problem.ts';
import { eraseMember, type ErasureReceipt } from '../../members/erase.ts';
import { exportMember } from '../../members/export.ts';
import { mergeMembers, splitMembers, type MergePlan } from '../../members/merge.ts';
import { memberNotFound } from '../../members/problem.ts';
import { grantAsOperator, revokeAsOperator } from '../../members/operator-entitlements.ts';
import { revealEmail } from '../../members/reveal-email.ts';
import {
  endMemberSessions,
  restoreMember,
  setTier,
  suspendMember,
} from '../../members/account-status.ts';
import { html, type Html } from '../../web/html.ts';
import { actingOperator } from '../api/call.ts';
import { memberReads } from '../api/members.ts';
import { form, hiddenField } from '../pages/form.ts';
import { badge, facts, id, moment, number, type Facts } from '../pages/table.ts';
import type { View } from '../pages/view.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';

const memberTarget: ActionTarget = {
  name: 'svc_uid',
  label: { ko: '회원', en: 'Member' },
  facts: memberFacts,
};
const onMember = { target: memberTarget, returnPath: (uid: string) => `/members/${uid}` };

export const memberActions = {
  reveal: {
    ...onMember,
    run: (call) => revealEmail(call.context, uidOf(call), actingOperator(call)),
    effect: {
      ko: '가려진 이메일을 다음 화면에 한 번 보여 줍니다.',
      en: 'Shows the masked email address once, on the next page.',
    },
    notice: { ko: '이메일을 확인했습니다.', en: 'The email address was shown.' },
    resultPage: ({ text }, { svc_uid: uid, email }) =>
      facts([
        [text('회원', 'Member'), id(uid)],
        [text('이메일', 'Email'), email ?? '–'],
      ]),
    auditLabels: { address_revealed: { ko: '이메일 확인', en: 'Email shown' } },
  },

  tier: {
    ...onMember,
    async run(call) {
      const tier = call.body.tier.trim();
      await setTier(call.context, uidOf(call), tier, actingOperator(call));
      return { ok: true, tier };
    },
    fields: async ({ text }) => [
      {
        name: 'tier',
        label: text('새 등급', 'New tier'),
        pattern: '[A-Z][A-Z0-9_]{0,31}',
        hint: text(
          '영어 대문자, 숫자, _ (예: GOLD)',
          'Capital letters, digits and _, such as GOLD',
        ),
      },
    ],
    effect: {
      ko: '다음 요청부터 새 등급으로 응답하고, 웹훅으로 알립니다.',
      en: 'The new tier applies from the next request, and webhooks report it.',
    },
    notice: { ko: '등급을 변경했습니다.', en: 'The tier was changed.' },
    auditLabels: { tier_changed: { ko: '등급 변경', en: 'Tier changed' } },
  },

  grantEntitlement: {
    ...onMember,
    async run(call) {
      const { code, reason: _reason, ...period } = call.body;
      const operator = actingOperator(call);
      const uid = uidOf(call);
      const granted = await grantAsOperator(call.context, uid, code.trim(), period, operator);
      return { ok: true, entitlement: granted };
    },
    fields: async (view) => {
      const { text, context } = view;
      const { codes } = await context.platforms.policy();
      const example = '2026-12-01T00:00:00+09:00';
      return [
        codes === null
          ? {
              name: 'code',
              label: text('이용권 코드', 'Code'),
              pattern: '[a-z0-9][a-z0-9._\\-]{0,63}',
              hint: text('영어 소문자, 숫자, ., -, _', 'Lower-case letters, digits, dots, - and _'),
            }
          : {
              name: 'code',
              label: text('이용권 코드', 'Code'),
              kind: 'choice',
              options: codes.map((code) => ({ value: code, label: code })),
            },
        {
          name: 'from',
          label: text('시작', 'From'),
          isOptional: true,
          hint: text(`비우면 지금부터 (예: ${example})`, `Empty: now. Such as ${example}`),
        },
        {
          name: 'until',
          label: text('끝', 'Until'),
          isOptional: true,
          hint: text(
            `이 시각 전까지. 비우면 끝이 없음 (예: ${example})`,
            `Before this moment. Empty: without an end. Such as ${example}`,
          ),
        },
      ];
    },
    effect: {
      ko: '시작 시각부터 모든 플랫폼의 조회와 세션 확인에 나타나고, 웹훅으로 알립니다. 운영자가 부여한 같은 코드를 대신합니다.',
      en: 'From its start it shows in lookups and session checks of all platforms, and webhooks report it. It replaces earlier grants of the same code by operators.',
    },
    notice: { ko: '이용권을 부여했습니다.', en: 'The entitlement was granted.' },
    auditLabels: { entitlement_granted: { ko: '이용권 부여', en: 'Entitlement granted' } },
  },

  revokeEntitlement: {
    ...onMember,
    isDangerous: true,
    async run(call) {
      const code = call.body.code.trim();
      const ended = await revokeAsOperator(call.context, uidOf(call), code, actingOperator(call));
      return { ok: true, ended };
    },
    fields: async ({ text }, given) => [
      { name: 'code', label: text('이용권 코드', 'Code'), values: [given.get('code') ?? ''] },
    ],
    effect: {
      ko: '플랫폼이 부여한 것까지 이 코드를 지금 끝냅니다. 등급의 기본 이용권은 남습니다.',
      en: 'Ends the code now, also where a platform granted it. Defaults of the tier stay.',
    },
    notice: { ko: '이용권을 회수했습니다.', en: 'The entitlement was revoked.' },
    auditLabels: { entitlement_revoked: { ko: '이용권 회수', en: 'Entitlement revoked' } },
  },

  endSessions: {
    ...onMember,
    run: (call) => okAfter(endMemberSessions(call.context, uidOf(call), actingOperator(call))),
    effect: {
      ko: '모든 플랫폼에서 로그아웃됩니다. 회원은 다시 로그인할 수 있습니다.',
      en: 'Signs the member out of every platform. They can sign in again.',
    },
    notice: { ko: '모든 세션을 종료했습니다.', en: 'All sessions were ended.' },
    auditLabels: { sessions_revoked: { ko: '세션 종료', en: 'Sessions ended' } },
  },

  export: {
    ...onMember,
    run: (call) => exportMember(call.context, uidOf(call), actingOperator(call)),
    effect: {
      ko: '이 회원에 대해 저장된 모든 정보를 이메일까지 보여 줍니다.',
      en: 'Shows everything stored about this member, including the email address.',
    },
    notice: { ko: '회원 정보를 내보냈습니다.', en: 'The member was exported.' },
    resultPage: (_view, answer) => html`<pre tabindex="0">${JSON.stringify(answer, null, 2)}</pre>`,
    auditLabels: { member_exported: { ko: '정보 내보내기', en: 'Member exported' } },
  },

  suspend: {
    ...onMember,
    isDangerous: true,
    run: (call) => okAfter(suspendMember(call.context, uidOf(call), actingOperator(call))),
    effect: {
      ko: '세션이 모두 종료되고, 정지를 해제할 때까지 통합 로그인을 할 수 없습니다. 데이터는 그대로 남습니다.',
      en: 'Ends every session and refuses single sign-on until the suspension is lifted. No data is deleted.',
    },
    notice: { ko: '회원을 정지했습니다.', en: 'The member was suspended.' },
    auditLabels: { member_suspended: { ko: '회원 정지', en: 'Member suspended' } },
  },

  restore: {
    ...onMember,
    run: (call) => okAfter(restoreMember(call.context, uidOf(call), actingOperator(call))),
    effect: {
      ko: '회원이 다시 통합 로그인을 할 수 있습니다.',
      en: 'Allows single sign-on again.',
    },
    notice: { ko: '정지를 해제했습니다.', en: 'The suspension was lifted.' },
    auditLabels: { member_restored: { ko: '정지 해제', en: 'Suspension lifted' } },
  },

  merge: {
    target: {
      name: 'from',
      label: { ko: '병합되어 없어질 회원', en: 'Member to merge' },
      facts: memberFacts,
    },
    returnPath: onMember.returnPath,
    isDangerous: true,
    async run(call) {
      const { from, into, dry_run: dryRun = true, same_person: isSamePerson = false } = call.body;
      const pair = { from: from.trim(), into: into.trim(), isSamePerson };
      return mergeMembers(call.context, { ...pair, dryRun }, actingOperator(call));
    },
    fields: async ({ text }, input) => [
      {
        name: 'into',
        label: text('남을 회원의 svc_uid', 'svc_uid of the member to keep'),
        values: [input.get('into') ?? ''],
      },
      {
        name: 'same_person',
        label: text('같은 사람의 계정임을 확인했습니다', 'The accounts belong to one person'),
        kind: 'flag',
        values: input.getAll('same_person'),
        hint: text(
          '두 회원이 같은 플랫폼에 각각 계정을 가지고 있을 때만 필요합니다.',
          'Needed only if both members have an account on the same platform.',
        ),
      },
    ],
    effect: {
      ko: '두 회원을 하나로 병합합니다. 없어질 회원의 세션은 종료되고, 두 svc_uid 모두 남을 회원을 가리킵니다. 먼저 바뀔 내용을 보여 줍니다.',
      en: 'Merges two members into one. Sessions of the merged member end, and both svc_uids lead to the member that is kept. You see the changes first.',
    },
    notice: { ko: '회원을 병합했습니다.', en: 'The members were merged.' },
    previewPage: (view, plan, input) =>
      mergePreview(view, plan, input, {
        action: '/actions/merge',
        button: view.text('병합', 'Merge'),
        from: view.text('병합되어 없어질 회원', 'Member to merge'),
      }),
    nextPath: ({ into }) => `/members/${into}`,
    auditLabels: { members_merged: { ko: '회원 병합', en: 'Members merged' } },
  },

  split: {
    target: { name: 'merge_id', label: { ko: '병합 번호', en: 'Merge' } },
    returnPath: () => '/members',
    isDangerous: true,
    async run(call) {
      const mergeId = Number(call.parameters.merge_id);
      if (!Number.isSafeInteger(mergeId)) throw memberNotFound();
      const { dry_run: dryRun = true } = call.body;
      return splitMembers(call.context, { mergeId, dryRun }, actingOperator(call));
    },
    effect: {
      ko: '병합하기 전의 두 회원으로 나누고, 남아 있던 회원의 세션을 종료합니다. 먼저 바뀔 내용을 보여 줍니다.',
      en: 'Separates the two members again and ends the sessions of the kept member. You see the changes first.',
    },
    notice: { ko: '병합을 취소했습니다.', en: 'The merge was undone.' },
    previewPage: (view, plan, input) =>
      mergePreview(view, plan, input, {
        action: '/actions/split',
        button: view.text('병합 취소', 'Undo the merge'),
        from: view.text('다시 나뉠 회원', 'Member to restore'),
      }),
    nextPath: ({ into }) => `/members/${into}`,
    auditLabels: { members_split: { ko: '병합 취소', en: 'Merge undone' } },
  },

  erase: {
    ...onMember,
    isDangerous: true,
    isConfirmedByTyping: true,
    run: (call) => eraseMember(call.context, uidOf(call), actingOperator(call)),
    effect: {
      ko: '이메일, 연결, 동의, 이벤트, 세션을 삭제합니다. 이 회원에 병합된 회원도 함께 삭제됩니다. 되돌릴 수 없습니다.',
      en: 'Deletes the email address, links, consents, events and sessions, along with every member merged into this one. This cannot be undone.',
    },
    notice: { ko: '회원을 영구 삭제했습니다.', en: 'The member was erased.' },
    resultPage: receiptPage,
    nextPath: () => '/members',
    auditLabels: { member_erased: { ko: '영구 삭제', en: 'Member erased' } },
  },
} as const satisfies Partial<Actions>;

function uidOf({ parameters }: { readonly parameters: { readonly svc_uid: string } }): string {
  return parameters.svc_uid;
}

async function memberFacts(view: View, uid: string): Promise<Facts> {
  const { text } = view;
  const member = await memberOrNull(view, uid);
  return [
    [text('이메일', 'Email'), member?.email_masked ?? '–'],
    [text('플랫폼', 'Platforms'), member?.platforms.join(', ') ?? '–'],
    ...(member?.status === 'suspended'
      ? [[text('상태', 'Status'), badge(text('정지', 'Suspended'), 'bad')] as const]
      : []),
  ];
}

async function memberOrNull(view: View, uid: string) {
  try {
    return await memberReads.member({
      ...view,
      parameters: { svc_uid: uid, before: undefined },
    });
  } catch (error) {
    // The action itself refuses a member that does not exist.
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Shows the planned changes with a button that carries them out. */
function mergePreview(
  { text }: View,
  plan: MergePlan,
  input: URLSearchParams,
  words: { readonly action: string; readonly button: string; readonly from: string },
): Html {
  const repeatedFields = ['from', 'into', 'same_person', 'merge_id', 'reason'];
  return html`<h2>${text('바뀔 내용', 'Changes')}</h2>
    ${facts([
      [words.from, id(plan.from)],
      [text('남을 회원', 'Member to keep'), id(plan.into)],
      [text('옮길 연결', 'Links to move'), number(plan.memberships_moved)],
      [text('종료될 세션', 'Sessions to end'), number(plan.sessions_ended)],
      [text('플랫폼', 'Platforms'), plan.platforms.join(', ')],
    ])}
    ${form({
      action: words.action,
      button: words.button,
      isDangerous: true,
      fields: [
        ...repeatedFields.map((name) => hiddenField(name, ...input.getAll(name))),
        hiddenField('dry_run', 'false'),
      ],
    })}`;
}

function receiptPage({ text }: View, answer: ErasureReceipt): Html {
  return html`<p class="notice" role="status">
      ${text('회원을 영구 삭제했습니다.', 'The member was erased.')}
    </p>
    <h2>${text('삭제 확인서', 'Receipt')}</h2>
    ${facts([
      [text('확인서 번호', 'Receipt number'), id(answer.receipt_id)],
      [text('회원', 'Member'), id(answer.svc_uid)],
      [text('삭제 시각', 'Erased at'), moment(answer.erased_at, 'second')],
      [text('삭제한 연결', 'Links erased'), number(answer.memberships)],
      [text('삭제한 이벤트', 'Events erased'), number(answer.events)],
      [
        text('파일에서 덮어쓰기', 'Overwritten in the files'),
        answer.files_overwritten
          ? text('완료', 'Done')
          : text(
              '아직 아님. 파일은 다음 정리 작업 때, PostgreSQL은 빈 공간을 다시 쓸 때 덮어씁니다',
              'Not yet: a file by the next retention job, PostgreSQL when it reuses the space',
            ),
      ],
      [
        text('백업과 로그에서 없어지는 시각', 'Gone from backups and logs by'),
        answer.backups_gone_at === null
          ? text('정해지지 않음. MARU_BACKUP_DAYS를 설정하세요', 'Not stated: set MARU_BACKUP_DAYS')
          : moment(answer.backups_gone_at, 'second'),
      ],
    ])}`;
}
