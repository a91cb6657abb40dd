import { timingSafeEqual } from 'node:crypto';
import { randomLetters } from '../../members/base32.ts';
import { keyedHash, type MemberContext } from '../../members/context.ts';

/**
 * A browser in which an operator has signed in, recognised by a cookie. It has to wait only after failed attempts of
 * its own, so that a guesser at the same address cannot delay the operator. The cookie alone opens no session.
 */
export interface Device {
  readonly id: string;
  /** Value of the cookie: the id, and a proof that the service issued it to an operator. */
  readonly token: string;
}

export function newDevice(context: Pick<MemberContext, 'secret'>, name: string): Device {
  return deviceOf(context, name, randomLetters(idLength));
}

/** The device of a cookie; null if the cookie was not issued to this operator. */
export function knownDevice(
  context: Pick<MemberContext, 'secret'>,
  name: string,
  token: string | undefined,
): Device | null {
  if (token === undefined || !/^[a-z2-7]{16}\.[\w-]{43}$/.test(token)) return null;
  const device = deviceOf(context, name, token.slice(0, idLength));
  return timingSafeEqual(Buffer.from(device.token), Buffer.from(token)) ? device : null;
}

function deviceOf(context: Pick<MemberContext, 'secret'>, name: string, id: string): Device {
  const proof = keyedHash(context, 'device', `${id}\n${name}`).toString('base64url');
  return { id, token: `${id}.${proof}` };
}

const idLength = 16;
