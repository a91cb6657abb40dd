import type { Body } from '../../contract/route.ts';
import type { passkeyRoutes, passkeySignIn } from '../../contract/passkeys.ts';
import type { StoredPasskey } from '../../members/store/operator-entities.ts';

/** The site that passkeys belong to: a browser uses them at no other site. */
export interface RelyingParty {
  /** Host name of the site. */
  readonly id: string;
  readonly origin: string;
}

/** Response of an authenticator that created a passkey. */
export type Registration = Body<typeof passkeyRoutes.addPasskey>['credential'];
/** Response of an authenticator that used a passkey. */
export type Assertion = Body<typeof passkeySignIn>['passkey'];

/** The facts of a new passkey. */
type NewCredential = Pick<
  StoredPasskey,
  'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isBackupEligible' | 'isBackedUp'
>;

interface Expectation {
  readonly party: RelyingParty;
  readonly challenge: string;
}

/** Verifies a registration (WebAuthn Level 3, 7.1); null if it does not pass. */
export async function verifyRegistration(
  { id, rawId, type, response }: Registration,
  { party, challenge }: Expectation,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await library();
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const verification = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: [...algorithms],
    requireUserVerification: true,
  }).catch(nullForRefusal);
  if (verification === null || !verification.verified) return null;
  const { credential, credentialDeviceType, credentialBackedUp } = verification.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    signCount: credential.counter,
    transports: transports.filter((transport) => /^[a-z-]+$/.test(transport)),
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

/** Verifies a use of a passkey except its count (WebAuthn Level 3, 7.2); null if it does not pass. */
export async function verifyAssertion(
  { id, rawId, type, response }: Assertion,
  { publicKey, isBackupEligible }: Pick<StoredPasskey, 'publicKey' | 'isBackupEligible'>,
  { party, challenge }: Expectation,
): Promise<Pick<StoredPasskey, 'signCount' | 'isBackedUp'> | null> {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON, authenticatorData, signature } = response;
  const verification = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // The count is compared in the transaction that stores it.
    credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(nullForRefusal);
  if (verification === null || !verification.verified) return null;
  const { newCounter, credentialDeviceType, credentialBackedUp } = verification.authenticationInfo;
  // A key may be backed up, or not, from its creation on.
  if ((credentialDeviceType === 'multiDevice') !== isBackupEligible) return null;
  return { signCount: newCounter, isBackedUp: credentialBackedUp };
}

/** Challenge in the client data of a response; empty if that is malformed. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** COSE algorithms of new passkeys: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257] as const;

/** Loaded on use: it takes 0.2 s of a processor and 27 MB. */
function library() {
  return import('@simplewebauthn/server');
}

/** Null for an error of the library, which throws for every reason to refuse. */
function nullForRefusal(): null {
  return null;
}
