import { problem } from './problem-row.ts';

/** Problem codes of conflicts between users of one platform, and of merges. */
export const membershipProblems = {
  email_taken: problem(409, {
    title: ['이미 연결된 이메일입니다', 'Email taken'],
    remedy: [
      '이 플랫폼의 다른 사용자가 그 이메일로 연결되어 있습니다. 그 연결을 먼저 끝내거나 그 연결의 이메일을 바꿉니다.',
      'Another user of the platform is linked with this email address. End that membership or change its email address first.',
    ],
  }),
  local_user_id_taken: problem(409, {
    title: ['이미 연결된 local_user_id입니다', 'Local user id taken'],
    remedy: [
      '이 플랫폼의 다른 연결이 그 local_user_id를 씁니다. 그 연결의 이메일을 바꾸거나 연결을 끝냅니다.',
      'Another membership of the platform has this local_user_id. Change the email address of that membership, or end it.',
    ],
  }),
  accounts_on_one_platform: problem(409, {
    title: ['두 회원이 같은 플랫폼에 계정이 있습니다', 'Accounts on one platform'],
    remedy: [
      '두 계정이 같은 사람의 것인지 그 플랫폼에 확인한 뒤, 병합할 때 same_person을 true로 보냅니다.',
      'Confirm with the platform that both accounts belong to one person, then merge with “same_person” true.',
    ],
  }),
  merge_impossible: problem(409, {
    title: ['병합하거나 취소할 수 없습니다', 'Merge impossible'],
    remedy: [
      '영역과 상태가 같은 두 회원을 병합합니다. 병합은 나중에 한 것부터 취소합니다.',
      'Merge two members of one realm and one status. Undo merges latest first.',
    ],
  }),
  ambiguous_svc_uid: problem(409, {
    title: ['두 사용자를 뜻하는 svc_uid입니다', 'Ambiguous svc_uid'],
    remedy: [
      '그 사용자의 local_user_id를 expected_local_user_id로 함께 보냅니다. 그리고 사용자를 지금 이메일로 다시 등록해 새 svc_uid를 저장합니다.',
      'Send the local_user_id of the user as expected_local_user_id. Then register the user again with their current email address, and store the svc_uid of the answer.',
    ],
  }),
} as const;
