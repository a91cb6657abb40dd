import { problem } from './problem-row.ts';

/** Problem codes of the passkeys of operators. */
export const passkeyProblems = {
  passkey_not_found: problem(404, {
    title: ['패스키를 찾을 수 없습니다', 'Passkey not found'],
    remedy: [
      '자기 계정의 패스키 목록에서 id를 확인합니다.',
      'Check the id in the list of your own passkeys.',
    ],
  }),
  passkey_exists: problem(409, {
    title: ['이미 등록된 패스키입니다', 'Passkey exists'],
    remedy: [
      '그 패스키를 그대로 사용하거나, 다른 기기나 보안 키로 등록합니다.',
      'Use the passkey as it is, or register a passkey from another device or a security key.',
    ],
  }),
  too_many_passkeys: problem(422, {
    title: ['패스키가 너무 많습니다', 'Too many passkeys'],
    remedy: [
      '내 계정에서 쓰지 않는 패스키를 삭제합니다.',
      'Remove a passkey that is not used, in your account.',
    ],
  }),
  passkey_refused: problem(422, {
    title: ['패스키를 확인하지 못했습니다', 'Passkey refused'],
    remedy: [
      '등록한 패스키로, detail에 적힌 주소의 화면에서 다시 시도합니다. 안 되면 암호로 로그인합니다.',
      'Retry with a registered passkey on the page whose address is given in “detail”, or use the passphrase.',
    ],
  }),
  challenge_ended: problem(422, {
    title: ['패스키 요청이 끝났습니다', 'Challenge ended'],
    remedy: [
      '처음부터 다시 시작합니다. 요청은 5분 동안, 요청한 브라우저에서, 한 번만 쓸 수 있습니다.',
      'Start again. A challenge works once, for five minutes, in the browser that requested it.',
    ],
  }),
};
