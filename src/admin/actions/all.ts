import { accountActions } from './account.ts';
import type { Actions } from './action.ts';
import { consentActions } from './consents.ts';
import { keyActions } from './keys.ts';
import { memberActions } from './members.ts';
import { operatorActions } from './operators.ts';
import { passkeyActions } from './passkeys.ts';
import { platformActions } from './platforms.ts';
import { sessionActions } from './sessions.ts';
import { snapshotActions } from './snapshots.ts';
import { webhookActions } from './webhooks.ts';

/** Every operator action, by the name of its route in the contract. */
export const actions = {
  ...memberActions,
  ...platformActions,
  ...keyActions,
  ...sessionActions,
  ...snapshotActions,
  ...consentActions,
  ...webhookActions,
  ...operatorActions,
  ...accountActions,
  ...passkeyActions,
} as const satisfies Partial<Actions>;
