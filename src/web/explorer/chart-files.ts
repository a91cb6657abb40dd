import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { byteOrderMark, contentDisposition, csvHead, csvLines } from '../../data/csv.ts';
import type { Document } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { citationOf } from '../../lookup/citation.ts';
import { chartFile } from '../charts/chart-file.ts';
import type { PageRequest } from '../serve-page.ts';
import { chartData, type ChartData, type ChartView } from './chart-data.ts';
import { chartDrawing } from './chart-drawing.ts';
import { chartRemarks } from './chart-remarks.ts';
import { chartTexts } from './chart-texts.ts';
import { titleIn } from './dataset-view.ts';
import { requireDataset } from './missing.ts';

type ChartParams = RouteParameters<typeof pageContract.chartImage>;

/** The chart of a dataset as a file of its own. */
export async function chartImage(params: ChartParams, request: PageRequest): Promise<Document> {
  const { view, data } = await readChart(params, request);
  const { stored, language, store } = view;
  const drawing = chartDrawing(data, language, () => null);
  const title = `${titleIn(stored, language)}, ${data.title}`;
  // An image has no room for terms and addresses.
  const cited = { ...stored.axis, license: null, sourceUrl: null };
  const source = citationOf(cited, { id: null, language }, store);
  const notes = chartRemarks(data, language);
  return download(view, data, 'svg', chartFile(drawing, { title, notes, source }));
}

/** The values of the chart of a dataset as CSV; a column of its own has the remarks, in the first row. */
export async function chartTable(params: ChartParams, request: PageRequest): Promise<Document> {
  const { view, data } = await readChart(params, request);
  const { groups, rest, keyText, valueText } = data;
  const { language } = view;
  const words = chartTexts[language];
  const note = chartRemarks(data, language).join(' ');
  const columns = [
    { name: 'key', label: keyText },
    { name: 'value', label: valueText },
    ...(note === '' ? [] : [{ name: 'note', label: words.note }]),
  ];
  const rows = groups.map(({ label, value }, at) => ({
    key: label,
    value,
    note: at === 0 ? note : null,
  }));
  if (rest !== null) {
    rows.push({ key: words.rest(String(rest.groups)), value: rest.value, note: null });
  }
  const text = byteOrderMark + csvHead(columns, 'label') + csvLines(columns, rows);
  return download(view, data, 'csv', Buffer.from(text));
}

async function readChart(
  params: ChartParams,
  request: PageRequest,
): Promise<{ readonly view: ChartView; readonly data: ChartData }> {
  const stored = requireDataset(params.axis, request.store);
  const view = { ...request, stored, params };
  const data = await chartData(view);
  if (data !== null && data.groups.length > 0) return { view, data };
  const { ko, en } = chartTexts;
  throw new Problem(
    'not_found',
    data === null ? { ko: ko.noKey, en: en.noKey } : { ko: ko.noGroups, en: en.noGroups },
  );
}

const types = { svg: 'image/svg+xml', csv: 'text/csv; charset=utf-8' } as const;

function download(
  { stored, language }: ChartView,
  { title }: ChartData,
  format: keyof typeof types,
  body: Buffer,
): Document {
  const name = `${titleIn(stored, language)} ${title}`;
  const headers = { 'Content-Disposition': contentDisposition(stored.axis.code, name, format) };
  return { type: types[format], body, headers };
}
