import type { Demand, UnlinkedDemand } from '../../data/demand.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { FindingCounts } from '../../data/finding.ts';
import { gateFindings, type GateKind } from '../runs/gates.ts';
import type { RunContext } from '../runs/run-context.ts';
import { collectSources, type Publication } from '../runs/session.ts';
import type { Collection, Source } from '../runs/source.ts';
import type { DemandReport } from '../../ingest/demand/ranking.ts';
import { demandRun, type CollectDemandOptions, type CollectedDemand } from './collected.ts';
import { demandFindings } from './findings.ts';
import { trendLimits } from './limits.ts';
import { measureDemand } from './measure.ts';
import { measuredRanking } from './method.ts';
import { planOf } from './plan.ts';
import { createTrendClient } from './trend-client.ts';
import { TrendResponses } from './trend-responses.ts';

/** Measures search demand and publishes the ranking. A spent quota parks the run; the same command resumes it. */
export async function collectDemand(
  data: string,
  options: CollectDemandOptions,
): Promise<CollectedDemand> {
  let published: UnlinkedDemand | null = null;
  const source = demandSource(data, options, (ranking) => (published = ranking));
  const session = { ...options, reparse: options.keys === null };
  const { sources, ...report } = await collectSources(data, [source], publication, session);
  const [collected] = sources;
  if (collected === undefined) throw new Error('A session has no result for its only source.');
  return { ...collected, ...report, ...rankingFacts(published) };
}

function demandSource(
  data: string,
  options: CollectDemandOptions,
  onRanking: (ranking: UnlinkedDemand) => void,
): Source<UnlinkedDemand> {
  const served = servedDemand(data);
  return {
    code: demandRun.code,
    title: 'Search demand',
    command: 'demand collect',
    keeps: 'mirror',
    skipReason: null,
    plan: () => ({ requests: 1, resumableMs: trendLimits.resumableMs }),
    servedOrigin: () => served?.origin ?? null,
    async collect(run) {
      const collection = await measure(options, served, run);
      if (collection.data !== null) onRanking(collection.data);
      return collection;
    },
  };
}

async function measure(
  options: CollectDemandOptions,
  served: Demand | null,
  run: RunContext,
): Promise<Collection<UnlinkedDemand>> {
  const { keys, quota } = options;
  const { keywords, anchors } = planOf(run, options);
  const counts = new FindingCounts<GateKind, string>();
  const report: DemandReport = ({ kind, detail }) =>
    counts.add(kind === 'keyword_unmeasured' ? 'rows_refused' : 'few_refused', [detail]);
  const client = keys === null ? null : createTrendClient(keys, quota, options);
  const responses = new TrendResponses(run, client, report);
  const measured = await measureDemand(keywords, anchors, responses, run.moment, report);
  const data = measuredRanking(anchors[0]!, measured, run.moment, run.origin);
  // Sample data and real data are never compared.
  const isSameOrigin = (served?.origin === 'sample') === (run.origin === 'sample');
  const losses = demandFindings(data, isSameOrigin ? served : null, run.previousLoss);
  for (const gap of measured.gaps) counts.add('ladder_gap', [gap]);
  const findings = [...losses, ...gateFindings(counts)];
  return { data, rows: data.items.length, findings, hasPrevious: true };
}

const publication: Publication<UnlinkedDemand> = {
  isAtomic: false,
  isNeeded: (results) => results.some(({ data }) => data !== null),
  put(builder, results) {
    const [ranking] = results.flatMap(({ data }) => data ?? []);
    if (ranking === undefined) throw new Error('There is no ranking to publish.');
    builder.putDemand(ranking);
    return `Measured the demand for ${ranking.items.length} keywords.`;
  },
};

function rankingFacts(ranking: UnlinkedDemand | null) {
  if (ranking === null) return { anchor: null, censored: 0 };
  const censored = ranking.items.filter(({ belowResolution }) => belowResolution).length;
  return { anchor: ranking.anchor, censored };
}

function servedDemand(data: string): Demand | null {
  using opened = OpenedSnapshot.current(data);
  return opened?.demand ?? null;
}
