import type { MemberContext } from './context.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';

interface DueReminders {
  readonly items: readonly DueReminder[];
  readonly next_cursor: string | null;
}

/** A consent to marketing that the platform must remind its user of. */
interface DueReminder {
  readonly svc_uid: string;
  readonly platform: string;
  readonly local_user_id: string | null;
  readonly purpose: string;
  readonly version: string | null;
  readonly given_at: string;
  readonly due_at: string;
}

/**
 * Consents to marketing that are two years old or more, by purpose and oldest first: Korea’s network act
 * (정보통신망법 제50조 제8항) requires a reminder every two years. The list is computed at each call, so none is late.
 */
export async function dueReminders(
  context: MemberContext,
  cursor: string | undefined,
  limit: number = memberLimits.pageMax,
): Promise<DueReminders> {
  const [, givenAt, id, from = ''] =
    /^(-?\d{1,16})-(\d{1,16})-([\w.:-]{1,64})$/.exec(cursor ?? '') ?? [];
  const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
  const items: DueReminder[] = [];
  for (const { code } of await remindedPurposes(context, from)) {
    const after = code === from ? { givenAt: Number(givenAt), id: Number(id) } : listStart;
    const room = limit - items.length;
    const { consents } = context.store.read;
    const due = await consents.givenBefore(code, twoYearsBefore(context.now()), after, room);
    items.push(
      ...due.map((consent) => ({
        svc_uid: consent.svcUid,
        platform: codes.get(consent.platformId) ?? String(consent.platformId),
        local_user_id: consent.localUserId,
        purpose: code,
        version: consent.textVersion,
        given_at: instantText(consent.givenAt),
        due_at: instantText(reminderDueAt(consent.givenAt)),
      })),
    );
    const last = due.at(-1);
    if (last !== undefined && items.length === limit) {
      return { items, next_cursor: `${last.givenAt}-${last.id}-${code}` };
    }
  }
  return { items, next_cursor: null };
}

/** Two years after a consent, on the same day of the year. */
export function reminderDueAt(givenAt: number): number {
  return new Date(givenAt).setUTCFullYear(new Date(givenAt).getUTCFullYear() + 2);
}

/** Purposes of which members must be reminded, those with the code `from` or a later one. */
export async function remindedPurposes({ platforms }: MemberContext, from = '') {
  const purposes = await platforms.consentPurposes();
  return purposes.filter(({ marketing, retired, code }) => marketing && !retired && code >= from);
}

/** The time up to which consents are due for a reminder. */
export function twoYearsBefore(now: number): number {
  const date = new Date(now);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - 2);
  // 29 February becomes the 28th, so that nothing is due early.
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}

/** Place before every consent of a purpose. */
const listStart = { givenAt: -Number.MAX_SAFE_INTEGER, id: 0 };
