import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import type { DemandReport } from './ranking.ts';
import { readDemand } from './read.ts';

interface ImportedDemand {
  readonly snapshot: string;
  readonly anchor: string;
  readonly keywords: number;
  /** Number of keywords that lead to a stored axis. */
  readonly linkedKeywords: number;
}

/** Imports a ranking of search demand, replaces the previous one and publishes it. Throws if the file is invalid. */
export async function importDemand(
  data: string,
  path: string,
  report: DemandReport,
): Promise<ImportedDemand> {
  using builder = new SnapshotBuilder(data);
  const ranking = await readDemand(path, report);
  const keywords = ranking.items.length;
  if (keywords === 0)
    throw new Error(`${path} ranks no keyword; the previous ranking is still served.`);
  builder.putDemand(ranking);
  const snapshot = await publishLinked(builder, `Loaded a ranking of ${keywords} keywords.`);
  using published = OpenedSnapshot.open(data, snapshot);
  const linkedKeywords = published.demand?.items.filter((item) => item.axes.length > 0).length ?? 0;
  return { snapshot, anchor: ranking.anchor, keywords, linkedKeywords };
}
