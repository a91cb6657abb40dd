import type { Static } from 'typebox';
import { exportContract } from '../../contract/export-routes.ts';
import type { tools } from '../../contract/tools.ts';
import { counted } from '../../kernel/counted.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { exportAxis } from '../../lookup/endpoints/export.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { runHandler, type ToolContext } from '../call-endpoint.ts';
import { datasetPage } from '../page-links.ts';
import { datasetPart, namesValue, selectionValues } from './axis-query.ts';

/** Gives the address of a file with all records of a dataset, or with the records that match. */
export async function downloadLink(
  given: Static<typeof tools.download_link.input>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { axis, format = 'csv' } = given;
  const stored = requireAxis(axis, context.store);
  const query = {
    ...selectionValues(given, context),
    select: namesValue(given.select, stored),
    sort: namesValue(given.sort, stored),
  };
  const values = { file: `${axis}.${format}`, ...query };
  const pageOfRecords = datasetPage(axis, context, query);
  // Prepares the file as a download does, which counts the matching records; nothing is read from it.
  const file = await runHandler(exportContract.export, exportAxis, values, context);
  const rows = Number(file.headers['X-Total-Count']);
  const prepared = 'read' in file ? file : null;
  const url = context.baseUrl + canonicalUrl(exportContract.export, values);
  const { freshnessRemark, freshness, ...part } = datasetPart(stored, context);
  const { title } = stored.axis;
  const bytes = prepared?.length ?? null;
  const sha256 = prepared?.sha256 ?? null;
  const draft = {
    ...part,
    items: [],
    offset: 0,
    total: 0,
    notices:
      rows === 0 ? ['No record matches: the file has headings only. Try fewer conditions.'] : [],
    summary: () => `${url}\n${counted(rows, 'record')} of the dataset ${axis} as ${format}.`,
    show: () => ({
      lines: [title],
      members: { axis, title, format, url, rows, bytes, sha256, freshness, page: pageOfRecords },
    }),
    remarks: [
      freshnessRemark,
      `Page of these records: ${pageOfRecords}`,
      bytes === null
        ? 'The file is streamed: its length and SHA-256 (Repr-Digest) follow its body as trailers.'
        : `${bytes} bytes, SHA-256 ${sha256 ?? ''}.`,
    ],
  };
  const page = readPage('download_link', {}, context, { default: 0, maximum: 0 });
  return boundedAnswer(draft, page, context);
}
