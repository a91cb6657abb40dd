import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { entriesIn } from '../catalog/stored-catalog.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { CollectDemandOptions } from './collected.ts';
import { defaultKeywords } from './keywords.ts';
import { defaultAnchors } from './ladder.ts';
import type { TrendGroup } from './trend-client.ts';

/** Keywords and anchors to measure. */
interface DemandPlan {
  readonly keywords: readonly TrendGroup[];
  /** The largest first. */
  readonly anchors: readonly string[];
}

/**
 * The plan of a run, stored with its responses. `--reparse` and a run that is resumed without a list of keywords use
 * the stored plan. Throws if there are no keywords.
 */
export function planOf(run: RunContext, options: CollectDemandOptions): DemandPlan {
  const stored = run.store.find(planKey);
  if (stored !== null && (options.keywords === undefined || options.keys === null)) {
    // Only this function stores a plan.
    return JSON.parse(Buffer.from(stored.body).toString('utf8')) as DemandPlan;
  }
  const keywords = options.keywords ?? servedKeywords(run.data);
  if (keywords.length === 0) {
    throw new Error('There is no catalog with keywords: give a list with --keywords FILE.');
  }
  const plan: DemandPlan = { keywords, anchors: options.anchors ?? defaultAnchors };
  run.store.put(planKey, { status: 200, body: Buffer.from(JSON.stringify(plan)) });
  return plan;
}

const planKey = 'plan';

function servedKeywords(data: string): TrendGroup[] {
  using opened = OpenedSnapshot.current(data);
  if (opened === null || opened.catalog === null) return [];
  const numbers = new Set([...opened.axes.values()].flatMap(({ axis }) => axis.portalId ?? []));
  return defaultKeywords(entriesIn(opened.catalog.part), numbers);
}
