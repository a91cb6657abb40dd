import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { entriesIn } from '../catalog/held.ts';
import type { OpenRun } from '../runs/door-run.ts';
import type { CollectDemandOptions } from './collected.ts';
import { usualKeywords } from './keywords.ts';
import { usualAnchors } from './ladder.ts';
import type { TrendGroup } from './trend-client.ts';

/** What is measured. */
export interface DemandPlan {
  readonly keywords: readonly TrendGroup[];
  /** The largest first. */
  readonly anchors: readonly string[];
}

/**
 * The plan is kept with the run: it is read again with `--reparse`, and gone on with where no other keywords
 * are asked for. Throws where there is nothing to take keywords from.
 */
export function planOf(open: OpenRun, data: string, options: CollectDemandOptions): DemandPlan {
  const stored = open.store.find(planKey);
  if (stored !== null && (options.keywords === undefined || options.keys === null)) {
    // Written below.
    return JSON.parse(Buffer.from(stored.body).toString('utf8')) as DemandPlan;
  }
  const keywords = options.keywords ?? heldKeywords(data);
  if (keywords.length === 0) {
    throw new Error('Nothing is held to take keywords from: give a list with --keywords FILE.');
  }
  const plan: DemandPlan = { keywords, anchors: options.anchors ?? usualAnchors };
  open.store.put(planKey, { status: 200, body: Buffer.from(JSON.stringify(plan)) });
  return plan;
}

const planKey = 'plan';

function heldKeywords(data: string): TrendGroup[] {
  const id = currentId(data);
  if (id === null) return [];
  using opened = OpenedSnapshot.open(data, id);
  if (opened.catalog === null) return [];
  const numbers = new Set([...opened.axes.values()].flatMap(({ axis }) => axis.portalId ?? []));
  return usualKeywords(entriesIn(opened.catalog.part), numbers);
}
