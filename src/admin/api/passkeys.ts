import { instantText } from '../../members/instant.ts';
import type { AdminHandlers } from './call.ts';

/** Handlers that read the passkeys of the signed-in operator. */
export const passkeyReads = {
  async passkeys({ context, operator }) {
    const passkeys = await context.store.read.passkeys.of(operator.name);
    return {
      items: passkeys.map(({ id, name, isBackupEligible, createdAt, usedAt }) => ({
        id,
        name,
        kind: isBackupEligible ? ('synced' as const) : ('device' as const),
        created_at: instantText(createdAt),
        last_used_at: usedAt === null ? null : instantText(usedAt),
      })),
    };
  },

  async passkeyChallenge({ context, operators, operator, party }) {
    const passkeys = await context.store.read.passkeys.of(operator.name);
    const site = { party, browser: operator.session };
    return operators.passkeys.requestOptions('confirm', site, passkeys);
  },
} as const satisfies Partial<AdminHandlers>;
