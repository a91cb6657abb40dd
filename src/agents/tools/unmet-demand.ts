import type { Origin } from '../../data/axis.ts';
import { rankedKeywords } from '../../lookup/endpoints/demand.ts';
import type { ToolContext } from '../call-endpoint.ts';

/** A keyword from the ranking of searches that no stored dataset covers. */
export interface Keyword {
  readonly rank: number;
  readonly keyword: string;
  /** Search volume relative to the anchor keyword's 100; null if too small to be measured. */
  readonly index: number | null;
  /** Number of datasets that the portal lists for it. */
  readonly catalogTotal: number;
  /** Origin of the ranking. */
  readonly origin: Origin;
}

/** Keywords that contain a text and have no stored dataset, in rank order. */
export function unmetDemand(text: string, { store }: ToolContext): Keyword[] {
  const { demand } = store;
  if (demand === null) return [];
  return rankedKeywords(store, { gap: '1' })
    .filter(({ item }) => item.keyword.includes(text.trim()))
    .map(({ item: { rank, keyword, index, catalogTotal } }) => {
      return { rank, keyword, index, catalogTotal, origin: demand.origin };
    });
}

export function keywordLine({ rank, keyword, index, catalogTotal, origin }: Keyword): string {
  const parts = [
    `rank ${rank}`,
    `index ${index ?? 'below resolution'}`,
    `${catalogTotal} in the catalog`,
  ];
  const mark = origin === 'sample' ? ' (sample 예시)' : '';
  return `- “${keyword}”: ${parts.join(', ')}; not stored here${mark}`;
}
