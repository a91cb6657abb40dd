import { timingSafeEqual } from 'node:crypto';
import { randomLetters } from '../../members/base32.ts';
import { keyedHash, type MemberContext } from '../../members/context.ts';

/**
 * A mark of a browser in which an operator has signed in. Its attempts wait for its own failures only, so that a guesser
 * at the same address cannot hold the operator off. It opens nothing by itself.
 */
export interface Device {
  readonly id: string;
  /** Value of the cookie. */
  readonly mark: string;
}

export function newDevice(context: Pick<MemberContext, 'secret'>, name: string): Device {
  return deviceOf(context, name, randomLetters(idLength));
}

/** The device of a cookie; null where it was not given to this operator. */
export function knownDevice(
  context: Pick<MemberContext, 'secret'>,
  name: string,
  mark: string | undefined,
): Device | null {
  if (mark === undefined || !/^[a-z2-7]{16}\.[\w-]{43}$/.test(mark)) return null;
  const device = deviceOf(context, name, mark.slice(0, idLength));
  return timingSafeEqual(Buffer.from(device.mark), Buffer.from(mark)) ? device : null;
}

function deviceOf(context: Pick<MemberContext, 'secret'>, name: string, id: string): Device {
  const proof = keyedHash(context, 'device', `${id}\n${name}`).toString('base64url');
  return { id, mark: `${id}.${proof}` };
}

const idLength = 16;
