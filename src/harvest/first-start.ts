import type { WrittenAxis } from '../data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../data/snapshot/builder.ts';
import { publishLinked } from '../data/snapshot/publish-linked.ts';
import type { BuiltInAxis } from '../ingest/built-in/axis.ts';
import { calendarAxes } from '../ingest/built-in/calendar.ts';
import { regionCodeAxis } from '../ingest/built-in/region-codes.ts';
import { ProfiledWriter } from '../ingest/fields/profiled-writer.ts';
import { collectCatalog } from './catalog/collect.ts';
import { entriesIn } from './catalog/stored-catalog.ts';
import type { PortalLimits } from './client/limits.ts';
import type { PortalClient } from './client/portal-client.ts';
import type { QuotaStore } from './client/quota.ts';
import { collectDemand } from './demand/collect.ts';
import { defaultKeywords } from './demand/keywords.ts';
import type { TrendGroup, TrendKeys } from './demand/trend-client.ts';
import { axisDefinitions } from './operations/definitions.ts';
import type { AxisSource } from './runs/axis-source.ts';
import { collectAxes } from './runs/collect-axes.ts';
import type { SessionOptions } from './runs/session.ts';

/** Settings for collecting from the sample portal. */
interface FirstStartSample extends Pick<
  SessionOptions,
  'onProgress' | 'onSource' | 'signal' | 'clock'
> {
  readonly client: PortalClient;
  readonly gateway: string | null;
  readonly limits: Partial<PortalLimits>;
  readonly quota: QuotaStore;
  readonly trendKeys: TrendKeys;
  readonly datasets: readonly AxisSource[];
}

/**
 * Publishes the first snapshot of an empty data folder: the calendar and the region table, which need no key, and
 * sample data for the other axes, some files, the catalog and the demand. Every endpoint answers from the first
 * minute. Throws when another build is under way.
 */
export async function firstStart(
  data: string,
  sample: FirstStartSample | null,
): Promise<{ axes: number; rows: number }> {
  using builder = new SnapshotBuilder(data);
  const now = new Date().toISOString();
  const written = [...calendarAxes(now), regionCodeAxis(now)].map((axis) => {
    const { stored, files } = writeAxis(builder.stageAxis(axis.axis.code), axis);
    builder.putAxis(axis.axis.code, files);
    return stored;
  });
  const collected = sample === null ? [] : await collectSample(data, builder, sample);
  const more = sample === null ? '' : ', and sample data for the rest';
  await publishLinked(builder, `First start: the calendar and the region table${more}.`);
  const axes = [...written, ...collected];
  return { axes: axes.length, rows: axes.reduce((sum, { rows }) => sum + rows, 0) };
}

/** Puts sample data into a build; returns the axes. */
async function collectSample(data: string, builder: SnapshotBuilder, sample: FirstStartSample) {
  const { onProgress, onSource, trendKeys: keys, datasets, ...upstream } = sample;
  const options = { ...upstream, origin: 'sample', builder } as const;
  await collectCatalog(data, options);
  await collectDemand(data, { ...options, keys, keywords: keywordsIn(builder) });
  const codes = axisDefinitions.map(({ code }) => code);
  const reports = { ...(onProgress && { onProgress }), ...(onSource && { onSource }) };
  const { axes } = await collectAxes(data, codes, { ...options, ...reports, datasets });
  return axes.filter(({ outcome }) => outcome === 'published');
}

/** Keywords of the datasets that the first snapshot will serve. */
function keywordsIn(builder: SnapshotBuilder): TrendGroup[] {
  using preview = builder.preview();
  if (preview.catalog === null) return [];
  const numbers = new Set(axisDefinitions.map(({ portalId }) => portalId));
  return defaultKeywords(entriesIn(preview.catalog.part), numbers);
}

function writeAxis(
  folder: string,
  { axis, columns, publishedFields, rows }: BuiltInAxis,
): WrittenAxis {
  using writer = new ProfiledWriter(folder, columns, { publishedFields });
  for (const cells of rows) writer.add(cells);
  return writer.finish(axis);
}
