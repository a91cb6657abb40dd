import * as schemas from './admin-schemas.ts';
import { operatorRoles } from './enumerations.ts';
import { confirmation, confirmationProblems } from './passkeys.ts';
import { withRole, action, cursor, get, post } from './operator-route.ts';
import { oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** Routes for operators, their own accounts and the access log. */
export const operatorRoutes = {
  operators: withRole(
    'owner',
    get('/api/operators', { ko: '운영자 목록', en: 'Operators' }, schemas.operatorsAnswer),
  ),
  addOperator: withRole(
    'owner',
    action(
      '/api/operators',
      { ko: '운영자 추가', en: 'Add an operator' },
      {
        body: { name: Type.String(), role: oneOf(operatorRoles) },
        answer: schemas.invitationAnswer,
        problems: ['operator_exists'],
      },
    ),
  ),
  changeOperator: {
    ...withRole(
      'owner',
      action(
        '/api/operators/{name}',
        { ko: '운영자 변경', en: 'Change the operator' },
        {
          body: {
            role: Type.Optional(oneOf(operatorRoles)),
            passphrase: Type.Optional(oneOf(['keep', 'reset'])),
            second_factor: Type.Optional(oneOf(['keep', 'remove'])),
            passkeys: Type.Optional(oneOf(['keep', 'remove'])),
          },
          answer: schemas.changeOperatorAnswer,
          problems: ['last_owner'],
        },
      ),
    ),
    method: 'PATCH' as const,
  },
  removeOperator: {
    ...withRole(
      'owner',
      action(
        '/api/operators/{name}',
        { ko: '운영자 삭제', en: 'Remove the operator' },
        { problems: ['last_owner'] },
      ),
    ),
    method: 'DELETE' as const,
  },
  changePassphrase: withRole(
    'view',
    post(
      '/api/account/passphrase',
      { ko: '내 암호 변경', en: 'Change your passphrase' },
      Type.Object({ passphrase: Type.String(), ...confirmation }),
      schemas.okAnswer,
      confirmationProblems,
    ),
  ),
  offerTotp: get(
    '/api/account/totp',
    {
      ko: '인증 앱에 등록할 새 비밀 값. 코드로 확인해야 적용됩니다.',
      en: 'A new secret for an authenticator app; it applies once a code confirms it',
    },
    schemas.totpAnswer,
  ),
  enableTotp: withRole(
    'view',
    post(
      '/api/account/totp',
      { ko: '인증 앱 등록', en: 'Set up an authenticator app' },
      Type.Object({ seed: Type.String(), code: Type.String(), ...confirmation }),
      schemas.okAnswer,
      confirmationProblems,
    ),
  ),
  disableTotp: {
    ...withRole(
      'view',
      post(
        '/api/account/totp',
        { ko: '인증 앱 해제', en: 'Remove the authenticator app' },
        Type.Object(confirmation),
        schemas.okAnswer,
        confirmationProblems,
      ),
    ),
    method: 'DELETE' as const,
  },
  accessLog: withRole(
    'privacy',
    get(
      '/api/access-log',
      { ko: '접속기록 (최신순)', en: 'Access log, newest first' },
      schemas.accessLogAnswer,
      {
        query: {
          before: cursor,
          operator: { ko: '이 운영자의 기록만', en: 'Entries of this operator only' },
          svc_uid: { ko: '이 회원에 관한 기록만', en: 'Entries about this member only' },
        },
      },
    ),
  ),
} as const;
