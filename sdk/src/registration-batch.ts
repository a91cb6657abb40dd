import { call, type Target } from './call.ts';
import type { RegisterBatchAnswer } from './contract.ts';
import { bytesOf } from './queue.ts';
import { SvcError } from './svc-error.ts';

/** Answer for one user: of a registration, or of its refusal. */
type RegistrationResult =
  | Extract<RegisterBatchAnswer['results'][number], { readonly svc_uid: string }>
  | { readonly code: string };

/** Sends users in one request. */
type RegistrationSender = (users: readonly object[]) => Promise<RegisterBatchAnswer>;

/** Sender of a request, which settles users who took over addresses of each other. */
export function registrationSender(target: Target, timeoutMs?: number): RegistrationSender {
  const path = '/members/register/batch';
  return async (registrations) => {
    const options = { body: { registrations }, ...(timeoutMs !== undefined && { timeoutMs }) };
    return (await call<RegisterBatchAnswer>(target, path, 'results', options)).answer;
  };
}

/**
 * Registers the users of a batch; returns a result for each. If the service refuses a whole request for its content,
 * halves of it are sent, so that only the refused user is not registered.
 */
export async function registerTogether(
  users: readonly object[],
  send: RegistrationSender,
): Promise<readonly RegistrationResult[]> {
  // Not sent: a proxy may close the connection before the service can refuse it.
  if (users.length === 1 && bytesOf(users[0]!) > bytesMax) return [{ code: 'body_too_large' }];
  try {
    const { results } = await send(users);
    // A result at another position would be another user's.
    if (results.length !== users.length) throw new SvcError(0, 'unreachable', '');
    return results;
  } catch (error) {
    const isOfContent = error instanceof SvcError && [400, 413, 422].includes(error.status);
    const middle = users.length >> 1;
    if (!isOfContent) throw error;
    if (middle === 0) return [error];
    return [
      ...(await registerTogether(users.slice(0, middle), send)),
      ...(await registerTogether(users.slice(middle), send)),
    ];
  }
}

/** Cuts users into batches of a size that the service accepts. A single user may be too large. */
export function* registrationBatches<User extends object>(
  users: readonly User[],
): Generator<readonly User[]> {
  let batch: User[] = [];
  let batchBytes = 0;
  for (const user of users) {
    const userBytes = bytesOf(user) + ','.length;
    if (batch.length === countMax || (batch.length > 0 && batchBytes + userBytes > bytesMax)) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
    batch.push(user);
    batchBytes += userBytes;
  }
  if (batch.length > 0) yield batch;
}

/** The service accepts 500 users, and 512 KB in a request. */
const countMax = 200;
const bytesMax = 500_000;
