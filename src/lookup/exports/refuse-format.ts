import type { Field } from '../../data/axis.ts';
import { cellLengthMax } from '../../data/xlsx/cell.ts';
import { sheetColumnsMax, sheetRowsMax } from '../../data/xlsx/workbook.ts';
import { Problem } from '../../kernel/problem.ts';

interface RequestedTable {
  /** Fields of the file. */
  readonly fields: readonly Field[];
  /** True if the axis has coordinates. */
  readonly hasCoordinates: boolean;
}

/** Refuses a format that cannot have these fields of an axis: 400 `format_unsuitable`. */
export function refuseFormat(format: string, { fields, hasCoordinates }: RequestedTable): void {
  if (format === 'geojson' && !hasCoordinates) {
    throw unsuitable(
      '이 축에는 좌표가 없어 geojson으로 줄 수 없습니다. csv, ndjson, xlsx, parquet을 쓰세요.',
      'This axis has no coordinates: use csv, ndjson, xlsx or parquet.',
    );
  }
  if (format === 'xlsx' && fields.length + addedFieldsMax > sheetColumnsMax) {
    throw unsuitable(
      `엑셀 시트에는 열이 ${sheetColumnsMax}개까지 들어갑니다. select로 필드를 고르거나 csv, parquet을 쓰세요.`,
      `A sheet has room for ${sheetColumnsMax} columns. Choose fields with select, or use csv or parquet.`,
    );
  }
  const long = fields.find(({ stats }) => (stats.maxLength ?? 0) > cellLengthMax);
  if (format === 'xlsx' && long !== undefined) {
    throw unsuitable(
      `엑셀 셀에는 ${cellLengthMax}자까지 들어갑니다. ${long.name} 필드에 더 긴 값이 있습니다. select에서 빼거나 csv, parquet을 쓰세요.`,
      `A cell has room for ${cellLengthMax} characters, and the field ${long.name} has longer values. Leave it out with select, or use csv or parquet.`,
    );
  }
}

/** Refuses a format that has no room for so many records: 400 `format_unsuitable`. */
export function refuseLength(format: string, rows: number): void {
  if (format !== 'xlsx' || rows <= sheetRowsMax) return;
  throw unsuitable(
    `엑셀 시트에는 ${sheetRowsMax}건까지 들어갑니다. 요청한 데이터는 ${rows}건입니다. where로 줄이거나 csv, parquet을 쓰세요.`,
    `A sheet has room for ${sheetRowsMax} records; these are ${rows}. Select fewer with where, or use csv or parquet.`,
  );
}

/** Distance, two regions and an id. */
const addedFieldsMax = 4;

function unsuitable(ko: string, en: string): Problem {
  return new Problem('format_unsuitable', { ko, en });
}
