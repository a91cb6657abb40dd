import type { Warning } from '../contract/route.ts';
import type { StoredAxis } from '../data/axis.ts';
import type { Selection } from '../data/columns/selection.ts';
import { parseQuery } from '../data/korean/terms.ts';
import { Problem } from '../kernel/problem.ts';
import { termWarnings } from './answers.ts';
import { invalidParameter } from './refusals.ts';
import { readRegion } from './requested-region.ts';
import { bindWhere } from './where/bind.ts';
import { AxisColumns } from './where/columns.ts';
import { parseWhere } from './where/parse.ts';
import { readBox, readPosition } from './places.ts';
import { printWhere } from './where/print.ts';
import { withRegionTags } from './store/region-terms.ts';

/** Parameters that select records of an axis. */
export interface SelectionParams {
  readonly where?: string | undefined;
  readonly q?: string | undefined;
  readonly sido?: string | undefined;
  readonly sigungu?: string | undefined;
  readonly near?: string | undefined;
  readonly radius?: number | undefined;
  readonly bbox?: string | undefined;
}

export interface RequestedSelection {
  /** Null if the region is unknown, so that nothing is selected. */
  readonly selection: Selection | null;
  /** The condition as it was understood. */
  readonly where: string | null;
  readonly warnings: readonly Warning[];
}

/** Reads the selection of a request. Throws 400 for a fault. */
export function readSelection(params: SelectionParams, stored: StoredAxis): RequestedSelection {
  const { where, q, near, radius } = params;
  const warnings: Warning[] = [];
  const expression =
    where === undefined
      ? null
      : parseWhere(where, { parameter: 'where', names: columnsOf(stored).texts });
  const parts: Selection = {
    ...(expression === null ? {} : { condition: bindWhere(expression, columnsOf(stored)) }),
    ...(q === undefined ? {} : { search: readSearch(q, warnings) }),
    ...placesPart(params, stored),
  };
  const printed = expression === null ? null : printWhere(expression);
  if (radius !== undefined && near === undefined) throw missingNear();
  const region = readRegion(params, () => [stored]);
  if (region === null) return { selection: parts, where: printed, warnings };
  warnings.push(...region.warnings);
  const selection = region.code === null ? null : { ...parts, regions: [region.code] };
  return { selection, where: printed, warnings };
}

/** The columns of an axis, prepared once. */
export function columnsOf(stored: StoredAxis): AxisColumns {
  let columns = columnsByAxis.get(stored);
  if (columns === undefined) columnsByAxis.set(stored, (columns = new AxisColumns(stored)));
  return columns;
}

const columnsByAxis = new WeakMap<StoredAxis, AxisColumns>();

function readSearch(q: string, warnings: Warning[]): NonNullable<Selection['search']> {
  const parsed = parseQuery(q);
  if (parsed.terms.length === 0) {
    throw invalidParameter('q', {
      ko: '검색할 글자가 없습니다. 검색어를 입력하세요.',
      en: 'It contains no text to search for. Send a word.',
    });
  }
  warnings.push(...termWarnings(parsed));
  return { terms: withRegionTags(parsed.terms), text: parsed.text };
}

function placesPart(
  { near, radius, bbox }: SelectionParams,
  { hasCoordinates }: StoredAxis,
): Pick<Selection, 'near' | 'bbox'> {
  if (near === undefined && bbox === undefined) return {};
  if (!hasCoordinates) {
    throw invalidParameter(near === undefined ? 'bbox' : 'near', {
      ko: '이 축에는 좌표가 없습니다. 지역은 sido와 sigungu로 고르세요.',
      en: 'This axis has no coordinates. Select a region by sido and sigungu.',
    });
  }
  const distance = radius === undefined ? {} : { radius };
  return {
    ...(near === undefined ? {} : { near: { ...readPosition(near), ...distance } }),
    ...(bbox === undefined ? {} : { bbox: readBox(bbox) }),
  };
}

function missingNear(): Problem {
  const detail = {
    ko: 'radius는 near와 함께 써야 합니다.',
    en: 'radius needs near. Add it.',
  };
  const reason = { ko: '값이 필요합니다.', en: 'A value is required.' };
  return new Problem('missing_parameter', detail, { errors: [{ parameter: 'near', reason }] });
}
