import type { Membership } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/** Gives the activity of a link to the member that gets the link; null for a link that ends. */
export async function moveActivity(
  tx: MemberTransaction,
  { homeId, platformId }: Pick<Membership, 'homeId' | 'platformId'>,
  to: number | null,
): Promise<void> {
  if (homeId === to) return;
  for (const day of await tx.events.takeActivity(homeId, platformId)) {
    if (to !== null) await tx.events.markActive(to, day, platformId);
  }
}
