import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit } from '../../members/audit.ts';
import { membersRig } from '../../../test/members/rig.ts';
import { auditedSuspicions } from './suspicions.ts';
import { textIn } from './view.ts';

test('suspicions of seven days are shown once for each subject, the newest first', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const system = { actor: 'system', reason: 'the test' };
  const suspect = (action: string, subject: string) =>
    context.store.write((tx) => audit(context, tx, system, { action, subject }));
  const shown = () => auditedSuspicions({ context, text: textIn('en') });
  assert.deepEqual(await shown(), []);
  await suspect('passkey_copy_suspected', 'operator:hana');
  clock.now += 6 * 86_400_000;
  for (let count = 0; count < 2; count++) await suspect('enumeration_suspected', 'kid1');
  await suspect('link_moved', 'svc_1');
  await suspect('asserted_links_suspected', 'kid1');
  const [links, lookups, passkey, ...rest] = await shown();
  assert.match(links!, /^API key kid1 registered many unverified addresses/);
  assert.match(lookups!, /^API key kid1 looked up many users/);
  assert.match(passkey!, /^A passkey of hana may have been copied/);
  assert.deepEqual(rest, []);
  clock.now += 2 * 86_400_000;
  assert.equal((await shown()).length, 2);
});
