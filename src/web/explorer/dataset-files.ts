import { sheetRowsMax } from '../../data/xlsx/workbook.ts';
import type { ExportFormat } from '../../lookup/exports/export-body.ts';
import { fileList, type FileLink } from '../components/files.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { exportTarget, wholeTarget, type DatasetView } from './dataset-view.ts';
import { fileSizes, type FileSizes } from './file-sizes.ts';

/** Files of the records of the page, and of all records where these are more. */
export async function fileSection(view: DatasetView, total: number): Promise<Html> {
  const { words, stored, store, query, language, params } = view;
  const fields = query.fields ?? stored.fields;
  const sizes = await fileSizes(stored, fields, store);
  const isWhole = total === stored.rows && query.fields === null && params.sort === undefined;
  const whole = store.parquet(stored.axis.code);
  const wholeSizes = query.fields === null ? sizes : await fileSizes(stored, stored.fields, store);
  const wholeFiles = filesOf(view, stored.rows, wholeSizes, (format) =>
    wholeTarget(stored, format),
  ).map((file) =>
    file.format === 'Parquet' && whole !== null
      ? { ...file, bytes: { count: whole.length, isExact: true } }
      : file,
  );
  const selectedFiles = filesOf(view, total, sizes, (format) =>
    exportTarget(view, format, format === 'csv' ? { header: 'label' } : {}),
  );
  return html`<section aria-labelledby="files">
    <h2 id="files">${words.files}</h2>
    ${
      isWhole || total === 0
        ? emptyHtml
        : html`<h3>${words.filesOf(formatNumber(total))}</h3>
            ${fileList(selectedFiles, language)}`
    }
    <h3>${words.filesAll(formatNumber(stored.rows))}</h3>
    ${fileList(wholeFiles, language)}
  </section>`;
}

function filesOf(
  { words, stored }: DatasetView,
  rows: number,
  sizes: FileSizes,
  targetOf: (format: ExportFormat) => string,
): FileLink[] {
  const formats = (['xlsx', 'csv', 'parquet', 'geojson', 'ndjson'] as const).filter(
    (format) => format !== 'geojson' || stored.hasCoordinates,
  );
  return formats.map((format) => {
    const hasRoom = format !== 'xlsx' || (rows <= sheetRowsMax && sizes.xlsx !== undefined);
    const size = sizes[format];
    return {
      format: formatNames[format],
      use: hasRoom ? words.formats[format] : words.noRoom,
      href: hasRoom ? targetOf(format) : null,
      bytes:
        size === undefined || !hasRoom
          ? null
          : { count: Math.round(size.fixed + size.perRow * rows), isExact: false },
    };
  });
}

const formatNames = {
  xlsx: 'XLSX',
  csv: 'CSV',
  parquet: 'Parquet',
  geojson: 'GeoJSON',
  ndjson: 'NDJSON',
} as const;
