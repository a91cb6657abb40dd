import type { BilingualText } from '../../contract/language.ts';
import { keyFields, platformFields, webhookFields } from './deed-fields.ts';
import type { FormField } from './form.ts';
import type { HandlerName, View } from './view.ts';

/** Something an operator does that changes or reveals something: it is asked for on a page of its own, with a reason. */
export interface Deed {
  readonly title: BilingualText;
  /** Where it is not the title. */
  readonly button?: BilingualText;
  /** What comes of it, to be read before the button. */
  readonly effect: BilingualText;
  /** Of what is done to; fixed by the link that led here. */
  readonly subject?: { readonly name: string; readonly label: BilingualText };
  readonly fields: (view: View, given: URLSearchParams) => Promise<readonly FormField[]>;
  readonly isDangerous?: boolean;
  /** Cannot be undone: the subject is typed once more. */
  readonly isTyped?: boolean;
  /** First only tells what it would do. */
  readonly isRehearsed?: boolean;
  /** Where one goes from it. */
  readonly back: (subject: string) => string;
  /** Said there. */
  readonly done: BilingualText;
}

const svcUid = { name: 'svc_uid', label: { ko: '회원', en: 'Member' } };
const keyId = { name: 'kid', label: { ko: '키 번호', en: 'Key id' } };
const platformCode = { name: 'code', label: { ko: '플랫폼', en: 'Platform' } };
const webhookId = { name: 'id', label: { ko: '받는 곳', en: 'Receiver' } };

const toMember = { subject: svcUid, fields: none, back: (uid: string) => `/members/${uid}` };
const toKey = { subject: keyId, fields: none, back: () => '/keys', isDangerous: true };
const toPlatform = { subject: platformCode, fields: none, back: () => '/platforms' };
const toWebhook = { subject: webhookId, fields: none, back: () => '/webhooks' };

/** By the names of the JSON’s rows. */
export const deeds: Readonly<Partial<Record<HandlerName, Deed>>> = {
  reveal: {
    ...toMember,
    title: { ko: '이메일 보기', en: 'Show the address' },
    effect: {
      ko: '가려 둔 이메일을 이 화면에 한 번 보입니다.',
      en: 'Shows the masked address once.',
    },
    done: { ko: '이메일을 보았습니다.', en: 'The address was shown.' },
  },
  tier: {
    ...toMember,
    title: { ko: '등급 변경', en: 'Change the tier' },
    effect: {
      ko: '다음 요청부터 새 등급을 답하고, 웹훅으로 알립니다.',
      en: 'The next request is answered with the new tier, and webhooks tell of it.',
    },
    fields: async ({ say }) => [
      {
        name: 'tier',
        label: say('새 등급', 'New tier'),
        pattern: '[A-Z][A-Z0-9_]{0,31}',
        hint: say('영어 대문자, 숫자, _ (예: GOLD)', 'Capitals, digits and _, such as GOLD'),
      },
    ],
    done: { ko: '등급을 바꾸었습니다.', en: 'The tier was changed.' },
  },
  endSessions: {
    ...toMember,
    title: { ko: '세션 모두 끝내기', en: 'End every session' },
    effect: {
      ko: '모든 플랫폼에서 다음 요청부터 로그아웃됩니다. 회원은 다시 로그인할 수 있습니다.',
      en: 'The member is signed out everywhere from the next request on, and can sign in again.',
    },
    done: { ko: '세션을 모두 끝냈습니다.', en: 'Every session was ended.' },
  },
  export: {
    ...toMember,
    title: { ko: '내보내기', en: 'Export' },
    effect: {
      ko: '이 회원에 대해 가진 것을 이메일까지 모두 보입니다.',
      en: 'Shows everything that is kept of this member, the address included.',
    },
    done: { ko: '내보냈습니다.', en: 'The member was exported.' },
  },
  suspend: {
    ...toMember,
    isDangerous: true,
    title: { ko: '정지', en: 'Suspend' },
    effect: {
      ko: '세션이 모두 끝나고, 정지를 풀 때까지 통합 로그인을 할 수 없습니다. 데이터는 그대로 남습니다.',
      en: 'Ends every session and refuses single sign-on until it is lifted. Nothing is deleted.',
    },
    done: { ko: '회원을 정지했습니다.', en: 'The member was suspended.' },
  },
  restore: {
    ...toMember,
    title: { ko: '정지 해제', en: 'Lift the suspension' },
    effect: { ko: '다시 통합 로그인을 할 수 있습니다.', en: 'Single sign-on is possible again.' },
    done: { ko: '정지를 풀었습니다.', en: 'The suspension was lifted.' },
  },
  merge: {
    subject: { name: 'from', label: { ko: '합쳐져 없어질 회원', en: 'Member that goes' } },
    fields: async ({ say }, given) => [
      {
        name: 'into',
        label: say('남을 회원의 svc_uid', 'svc_uid of the member that stays'),
        values: [given.get('into') ?? ''],
      },
    ],
    back: (uid) => `/members/${uid}`,
    isDangerous: true,
    isRehearsed: true,
    title: { ko: '병합', en: 'Merge' },
    effect: {
      ko: '두 회원을 하나로 합칩니다. 없어질 회원의 세션은 끝나고, 두 svc_uid는 남을 회원으로 이어집니다. 먼저 무엇이 바뀌는지 보여 드립니다.',
      en: 'Makes two members one: sessions of the one that goes end, and both svc_uids lead to the one that stays. First you see what would change.',
    },
    done: { ko: '두 회원을 합쳤습니다.', en: 'The members were merged.' },
  },
  split: {
    subject: { name: 'merge_id', label: { ko: '병합 번호', en: 'Merge' } },
    fields: none,
    back: () => '/members',
    isDangerous: true,
    isRehearsed: true,
    title: { ko: '병합 되돌리기', en: 'Undo a merge' },
    effect: {
      ko: '합치기 전의 두 회원으로 나누고, 남아 있던 회원의 세션을 끝냅니다. 먼저 무엇이 바뀌는지 보여 드립니다.',
      en: 'Makes them two again and ends the sessions of the one that stayed. First you see what would change.',
    },
    done: { ko: '병합을 되돌렸습니다.', en: 'The merge was undone.' },
  },
  erase: {
    ...toMember,
    isDangerous: true,
    isTyped: true,
    title: { ko: '영구 삭제', en: 'Erase for good' },
    effect: {
      ko: '이메일, 연결, 동의, 이벤트, 세션을 지웁니다. 합쳐진 회원도 함께 지워집니다. 되돌릴 수 없습니다.',
      en: 'Deletes address, links, consents, events and sessions, and the members merged into this one. It cannot be undone.',
    },
    done: { ko: '영구 삭제했습니다.', en: 'The member was erased.' },
  },
  declarePlatform: {
    fields: platformFields,
    back: () => '/platforms',
    title: { ko: '플랫폼 추가와 변경', en: 'Add or change a platform' },
    button: { ko: '저장', en: 'Save' },
    effect: {
      ko: '저장하면 다음 요청부터 이대로 따릅니다. 코드가 이미 있으면 그 플랫폼을 바꿉니다.',
      en: 'Holds from the next request on. A code that exists already is changed.',
    },
    done: { ko: '플랫폼을 저장했습니다.', en: 'The platform was saved.' },
  },
  disablePlatform: {
    ...toPlatform,
    isDangerous: true,
    title: { ko: '플랫폼 중지', en: 'Disable a platform' },
    effect: {
      ko: '이 플랫폼의 키와 페이지를 다음 요청부터 거절합니다. 가입과 이벤트를 받지 못합니다.',
      en: 'Its keys and pages are refused from the next request on: no registrations, no events.',
    },
    done: { ko: '플랫폼을 중지했습니다.', en: 'The platform was disabled.' },
  },
  enablePlatform: {
    ...toPlatform,
    title: { ko: '플랫폼 다시 허용', en: 'Enable a platform' },
    effect: { ko: '다음 요청부터 다시 받습니다.', en: 'It is let in from the next request on.' },
    done: { ko: '플랫폼을 다시 허용했습니다.', en: 'The platform was enabled.' },
  },
  issueKey: {
    fields: keyFields,
    back: () => '/keys',
    title: { ko: '키 발급', en: 'Issue a key' },
    effect: {
      ko: '키는 다음 화면에 한 번만 나옵니다. 필요한 권한만 주세요.',
      en: 'The key is shown once, on the next page. Give it no more than it needs.',
    },
    done: { ko: '키를 발급했습니다.', en: 'The key was issued.' },
  },
  rotateKey: {
    ...toKey,
    isDangerous: false,
    fields: async ({ say }) => [
      {
        name: 'overlap_hours',
        label: say('옛 키를 더 쓸 시간', 'Hours the old key still works'),
        values: ['24'],
      },
    ],
    title: { ko: '키 교체', en: 'Rotate a key' },
    effect: {
      ko: '권한이 같은 새 키를 한 번 보입니다. 옛 키는 정한 시간 뒤에 끝납니다.',
      en: 'Shows a new key of the same scopes once; the old one ends after the hours given.',
    },
    done: { ko: '키를 교체했습니다.', en: 'The key was rotated.' },
  },
  revokeKey: {
    ...toKey,
    title: { ko: '키 폐기', en: 'Revoke a key' },
    effect: {
      ko: '다음 요청부터 이 키를 거절합니다. 되살릴 수 없습니다.',
      en: 'The key is refused from the next request on, for good.',
    },
    done: { ko: '키를 폐기했습니다.', en: 'The key was revoked.' },
  },
  leakedKey: {
    ...toKey,
    title: { ko: '유출된 키 폐기', en: 'Revoke a leaked key' },
    effect: {
      ko: '다음 요청부터 이 키를 거절하고, 유출되었다고 기록합니다. 되살릴 수 없습니다.',
      en: 'The key is refused from the next request on, for good, and noted as leaked.',
    },
    done: { ko: '유출된 키를 폐기했습니다.', en: 'The leaked key was revoked.' },
  },
  addWebhook: {
    fields: webhookFields,
    back: () => '/webhooks',
    title: { ko: '웹훅 추가', en: 'Add a webhook' },
    effect: {
      ko: '앞으로 일어나는 일을 이 주소로 보냅니다. 서명 비밀은 다음 화면에 한 번만 나옵니다.',
      en: 'What happens from now on is sent to this address. The signing secret is shown once, on the next page.',
    },
    done: { ko: '웹훅을 추가했습니다.', en: 'The webhook was added.' },
  },
  disableWebhook: {
    ...toWebhook,
    isDangerous: true,
    title: { ko: '웹훅 멈추기', en: 'Stop a webhook' },
    effect: {
      ko: '기다리는 전송은 그대로 두고, 새로 일어나는 일은 보내지 않습니다. 그동안의 일은 나중에도 가지 않습니다.',
      en: 'What waits goes on waiting; what happens meanwhile is not sent, nor later.',
    },
    done: { ko: '웹훅을 멈추었습니다.', en: 'The webhook was stopped.' },
  },
  enableWebhook: {
    ...toWebhook,
    title: { ko: '웹훅 다시 시작', en: 'Resume a webhook' },
    effect: { ko: '기다리던 전송부터 다시 보냅니다.', en: 'What waited is sent first.' },
    done: { ko: '웹훅을 다시 시작했습니다.', en: 'The webhook was resumed.' },
  },
  replayMessage: {
    subject: { name: 'id', label: { ko: '전송 번호', en: 'Message' } },
    fields: none,
    back: () => '/webhooks',
    title: { ko: '웹훅 다시 보내기', en: 'Send a webhook again' },
    effect: {
      ko: '같은 내용을 같은 webhook-id로 몇 초 안에 다시 보냅니다. 받는 곳은 한 번만 처리합니다.',
      en: 'The same body goes out again within seconds, under the same webhook-id.',
    },
    done: { ko: '곧 다시 보냅니다.', en: 'It goes out again in a moment.' },
  },
};

async function none(): Promise<readonly FormField[]> {
  return [];
}
