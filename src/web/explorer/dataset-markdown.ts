import { describeDataset } from '../../agents/tools/describe-dataset.ts';
import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Document } from '../../kernel/http/result.ts';
import { todayInSeoul } from '../../data/freshness.ts';
import type { PageRequest } from '../serve-page.ts';
import { requireDataset } from './missing.ts';

/** The description of a dataset as Markdown, as the tool `describe_dataset` writes it. */
export function datasetMarkdown(
  { axis, cursor }: Pick<RouteParameters<typeof pageContract.datasetMarkdown>, 'axis' | 'cursor'>,
  { store, baseUrl, isAbandoned }: PageRequest,
): Document {
  requireDataset(axis, store);
  const given = { axis, ...(cursor === undefined ? {} : { cursor }) };
  const context = { store, baseUrl, today: todayInSeoul(), isAbandoned };
  const { text } = describeDataset(given, context);
  return { type: 'text/markdown; charset=utf-8', body: Buffer.from(`${text}\n`) };
}
