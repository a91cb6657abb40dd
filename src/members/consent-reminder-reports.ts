import { reminderDueAt, remindedPurposes, twoYearsBefore } from './consent-reminders.ts';
import type { MemberContext } from './context.ts';
import { instantText } from './instant.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

/**
 * Queues `consent.reminder_due` once for each consent of which the member must be reminded. `dueReminders` does not
 * depend on it, so a message that is late or lost delays no reminder.
 */
export async function reportReminders(context: MemberContext): Promise<number> {
  const { consents } = context.store.read;
  let reported = 0;
  for (const { code } of await remindedPurposes(context)) {
    // Most runs find none, and write nothing.
    while ((await consents.unreported(code, twoYearsBefore(context.now()), 1)).length > 0) {
      const count = await context.store.write((tx) => reportBatch(context, tx, code));
      if (count === 0) break;
      reported += count;
    }
  }
  return reported;
}

async function reportBatch(
  context: MemberContext,
  tx: MemberTransaction,
  purpose: string,
): Promise<number> {
  const due = await tx.consents.unreported(purpose, twoYearsBefore(context.now()), batchRows);
  const platforms = await tx.platforms.all();
  for (const { id, svcUid, platformId, textVersion, givenAt } of due) {
    await tx.consents.markReported(id);
    const payload = {
      svc_uid: svcUid,
      platform: platforms.find((platform) => platform.id === platformId)?.code ?? null,
      purpose,
      version: textVersion,
      given_at: instantText(givenAt),
      due_at: instantText(reminderDueAt(givenAt)),
    };
    const receivers = { platforms: 1 << platformId };
    await queueWebhook(context, tx, 'consent.reminder_due', receivers, payload);
  }
  return due.length;
}

const batchRows = 100;
