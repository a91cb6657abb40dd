import type { TProperties } from 'typebox';
import { okAnswer } from './admin-schemas.ts';
import { withRole, get, post } from './operator-route.ts';
import { nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** Base64url text of an authenticator, which sends less than the limits given here. */
const bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** Response of a passkey: `PublicKeyCredential.toJSON()` (WebAuthn Level 3, 5.1). */
function credential<Response extends TProperties>(response: Response) {
  return Type.Object({
    id: bytes(1_400),
    rawId: bytes(1_400),
    type: Type.Literal('public-key'),
    response: Type.Object({ clientDataJSON: bytes(4_096), ...response }),
  });
}

const registration = credential({
  attestationObject: bytes(16_384),
  transports: Type.Optional(Type.Array(bytes(32), { maxItems: 8 })),
});

const assertion = credential({
  authenticatorData: bytes(4_096),
  signature: bytes(4_096),
  userHandle: Type.Optional(nullable(Type.String({ maxLength: 128 }))),
});

/** Proof that the operator of a session is present: the passphrase, or the response of a passkey. */
export const confirmation = {
  current_passphrase: Type.Optional(Type.String()),
  passkey: Type.Optional(assertion),
};

/** Body of a sign-in with a passkey. */
export const passkeySignIn = { body: Type.Object({ passkey: assertion }) };

const descriptors = Type.Array(
  Type.Object({
    id: Type.String(),
    type: Type.Literal('public-key'),
    transports: Type.Array(Type.String()),
  }),
);

/** `PublicKeyCredentialRequestOptionsJSON` */
const requestOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
  /** Empty for a sign-in, where the authenticator offers its own passkeys. */
  allowCredentials: descriptors,
});

/** `PublicKeyCredentialCreationOptionsJSON` */
const creationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }),
  ),
  timeout: Type.Integer(),
  attestation: Type.Literal('none'),
  /** Existing passkeys, so that an authenticator does not create a second one. */
  excludeCredentials: descriptors,
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
});

/** Problem codes of a refused `confirmation`. */
export const confirmationProblems = ['passkey_refused', 'challenge_ended'] as const;

/** Routes for the passkeys of the signed-in operator. */
export const passkeyRoutes = {
  passkeys: get(
    '/api/account/passkeys',
    { ko: '내 패스키', en: 'Your passkeys' },
    Type.Object({
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          /** `synced` if the key may be copied to other devices of its owner, else `device`. */
          kind: oneOf(['synced', 'device']),
          created_at: Type.String(),
          last_used_at: nullable(Type.String()),
        }),
      ),
    }),
  ),
  passkeyChallenge: get(
    '/api/account/passkeys/challenge',
    {
      ko: '패스키로 본인을 확인할 때 쓰는 요청. 5분 동안 한 번 쓸 수 있습니다.',
      en: 'Challenge to confirm your identity with a passkey, once within five minutes',
    },
    requestOptions,
  ),
  offerPasskey: withRole(
    'view',
    post(
      '/api/account/passkeys/offer',
      { ko: '패스키 추가', en: 'Add a passkey' },
      Type.Object(confirmation),
      creationOptions,
      ['too_many_passkeys', ...confirmationProblems],
    ),
  ),
  addPasskey: withRole(
    'view',
    post(
      '/api/account/passkeys',
      { ko: '새 패스키 등록', en: 'Register the new passkey' },
      Type.Object({ name: Type.String(), credential: registration }),
      okAnswer,
      ['passkey_exists', 'too_many_passkeys', ...confirmationProblems],
    ),
  ),
  renamePasskey: {
    ...withRole(
      'view',
      post(
        '/api/account/passkeys/{passkey_id}',
        { ko: '패스키 이름 변경', en: 'Rename the passkey' },
        Type.Object({ name: Type.String(), ...confirmation }),
        okAnswer,
        confirmationProblems,
      ),
    ),
    method: 'PATCH' as const,
  },
  removePasskey: {
    ...withRole(
      'view',
      post(
        '/api/account/passkeys/{passkey_id}',
        { ko: '패스키 삭제', en: 'Remove the passkey' },
        Type.Object(confirmation),
        okAnswer,
        confirmationProblems,
      ),
    ),
    method: 'DELETE' as const,
  },
} as const;
