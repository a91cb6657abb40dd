import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import {
  attemptDoor,
  noDoorOutcome,
  originOfRuns,
  settleRun,
  type DoorOutcome,
  type DoorSession,
  type OpenRun,
} from '../runs/door-run.ts';
import { systemClock } from '../client/clock.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import { collectorsOf, lostBefore } from '../runs/earlier-runs.ts';
import { blocking, type Finding } from '../runs/gates.ts';
import { openJobs } from '../runs/job-store.ts';
import { openBuilder } from '../runs/publish-built.ts';
import { Runs, type Run } from '../runs/runs.ts';
import { demandRun, type CollectDemandOptions, type CollectedDemand } from './collected.ts';
import { demandFindings, FoundInDemand } from './findings.ts';
import { trendLimits } from './limits.ts';
import { measureDemand } from './measure.ts';
import { measuredRanking } from './method.ts';
import { planOf } from './plan.ts';
import { TrendResponses } from './trend-responses.ts';
import { createTrendClient, type TrendClient } from './trend-client.ts';

/**
 * Measures search demand and publishes the ranking. A spent quota parks the run, and the same command goes
 * on with what is stored. Throws only where the job store or the snapshot cannot be written.
 */
export async function collectDemand(
  data: string,
  options: CollectDemandOptions,
): Promise<CollectedDemand> {
  const started = performance.now();
  const { clock = systemClock, signal } = options;
  using database = openJobs(data);
  const runs = new Runs(database, () => clock.now());
  const reparse = options.keys === null;
  const origin = originOfRuns(runs, [code], reparse ? null : options.origin);
  const session: DoorSession = { data, database, runs, clock, origin, signal, reparse };
  const collected = await new DemandCollection(session, options, started).collect();
  return { ...collected, elapsedMs: performance.now() - started };
}

const { code } = demandRun;

type Came = Omit<CollectedDemand, 'elapsedMs'>;

/** What was measured, before it is judged. */
interface Read {
  readonly ranking: UnlinkedDemand;
  readonly findings: readonly Finding[];
}

class DemandCollection {
  readonly #session: DoorSession;
  readonly #options: CollectDemandOptions;
  readonly #started: number;

  constructor(session: DoorSession, options: CollectDemandOptions, started: number) {
    this.#session = session;
    this.#options = options;
    this.#started = started;
  }

  async collect(): Promise<Came> {
    const { origin, data } = this.#session;
    const held = heldDemand(data);
    if (origin === 'sample' && held !== null && held.origin !== 'sample') {
      const message = `Real data is held (${held.origin}); sample data never replaces it.`;
      return unpublished({ ...noDoorOutcome, outcome: 'skipped', message });
    }
    const asked = { resumableMs: trendLimits.resumableMs, planned: 1 };
    const attempted = await attemptDoor(this.#session, code, asked, (open) => this.#measure(open));
    if (attempted.run === null) return unpublished(attempted.ended);
    const { run, requests, result } = attempted;
    const isSame = (held?.origin === 'sample') === (origin === 'sample');
    return await this.#judge(run, requests, result, isSame ? held : null);
  }

  async #measure(open: OpenRun): Promise<Read> {
    const { data, origin, signal } = this.#session;
    const { keywords, anchors } = planOf(open, data, this.#options);
    const found = new FoundInDemand();
    const report = found.add.bind(found);
    const responses = new TrendResponses(open, clientOf(this.#options), report, signal);
    const { asked } = open.run;
    const measured = await measureDemand(keywords, anchors, responses, asked, report, (planned) => {
      const elapsedMs = performance.now() - this.#started;
      this.#options.onProgress?.({ calls: open.requests, planned, elapsedMs });
    });
    const gaps = measured.gaps.map((detail): Finding => ({ kind: 'ladder_gap', count: 1, detail }));
    const ranking = measuredRanking(anchors[0]!, measured, asked, origin);
    return { ranking, findings: [...found.all(), ...gaps] };
  }

  async #judge(run: Run, requests: number, read: Read, held: Demand | null): Promise<Came> {
    const { ranking } = read;
    const wasLost = lostBefore(this.#session.database, code);
    const findings = [...demandFindings(ranking, held, wasLost), ...read.findings];
    const entries = ranking.items.length;
    const censored = ranking.items.filter(({ belowResolution }) => belowResolution).length;
    const { anchor } = ranking;
    const outcome = { ...noDoorOutcome, entries, requests, findings, anchor, censored };
    const reasons = blocking(findings);
    if (reasons.length > 0 && this.#options.accept !== true) {
      const message =
        `${reasons.map(({ detail }) => detail).join(' ')} The last good ranking stays; ` +
        '`./maru demand collect --reparse --accept` publishes what came.';
      settleRun(this.#session, run, entries, findings, message);
      return { ...outcome, outcome: 'kept', message, snapshot: null };
    }
    const snapshot = await this.#publish(ranking);
    settleRun(this.#session, run, entries, findings, null);
    return { ...outcome, outcome: 'published', snapshot };
  }

  async #publish(ranking: UnlinkedDemand): Promise<string | null> {
    const { data, runs, clock, signal } = this.#session;
    const items = ranking.items.map((item) => ({ ...item, axes: [], catalogTotal: 0 }));
    const { builder } = this.#options;
    if (builder !== undefined) {
      builder.putDemand({ ...ranking, items });
      return null;
    }
    using own = await openBuilder(data, clock, signal);
    own.putDemand({ ...ranking, items });
    own.putCollectors(collectorsOf(runs, [code], clock.now()));
    return await publishLinked(own, `Measured the demand for ${items.length} keywords.`);
  }
}

function unpublished(ended: DoorOutcome): Came {
  return { ...ended, snapshot: null, anchor: null, censored: 0 };
}

function clientOf(options: CollectDemandOptions): TrendClient | null {
  const { keys, quota } = options;
  return keys === null ? null : createTrendClient(keys, quota, options);
}

function heldDemand(data: string): Demand | null {
  const id = currentId(data);
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  return opened.demand;
}
