import type { StoredAxis } from '../../data/axis.ts';
import { cellLengthMax, sheetColumnsMax, sheetRowsMax } from '../../data/xlsx/workbook.ts';
import { Problem } from '../../kernel/problem.ts';

/** Refuses a format that cannot have the records of an axis: 400 `format_unsuitable`. */
export function refuseFormat(
  format: string,
  { fields, hasCoordinates }: Pick<StoredAxis, 'fields' | 'hasCoordinates'>,
  rows: number,
): void {
  if (format === 'geojson' && !hasCoordinates) {
    throw unsuitable(
      '이 축에는 좌표가 없어 geojson으로 줄 수 없습니다. csv, ndjson, xlsx, parquet을 쓰세요.',
      'This axis has no coordinates: use csv, ndjson, xlsx or parquet.',
    );
  }
  if (format === 'xlsx' && (rows > sheetRowsMax || fields.length > sheetColumnsMax)) {
    throw unsuitable(
      `엑셀 시트에는 ${sheetRowsMax}건, 열 ${sheetColumnsMax}개까지 들어갑니다. 요청한 데이터는 ${rows}건입니다. csv나 parquet을 쓰세요.`,
      `A sheet has room for ${sheetRowsMax} records and ${sheetColumnsMax} columns; these are ${rows} records. Use csv or parquet.`,
    );
  }
  const long = fields.find(({ stats }) => (stats.maxLength ?? 0) > cellLengthMax);
  if (format === 'xlsx' && long !== undefined) {
    throw unsuitable(
      `엑셀 셀에는 ${cellLengthMax}자까지 들어갑니다. ${long.name} 필드에 더 긴 값이 있습니다. csv나 parquet을 쓰세요.`,
      `A cell has room for ${cellLengthMax} characters, and the field ${long.name} has longer values. Use csv or parquet.`,
    );
  }
}

function unsuitable(ko: string, en: string): Problem {
  return new Problem('format_unsuitable', { ko, en });
}
