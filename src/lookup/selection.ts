import type { Warning } from '../contract/route.ts';
import type { StoredAxis } from '../data/axis.ts';
import type { Selection } from '../data/columns/selection.ts';
import { parseQuery } from '../data/korean/terms.ts';
import { findRegion } from '../data/regions/find-region.ts';
import { Problem } from '../kernel/problem.ts';
import { termWarnings } from './answers.ts';
import { noticesOf, unknownRegion } from './endpoints/region.ts';
import { invalidParameter } from './refusals.ts';
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
  const { where, q, sido, sigungu, near, radius } = params;
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
  if (radius !== undefined && near === undefined) throw missing('near', 'radius');
  if (sigungu !== undefined && sido === undefined) throw missing('sido', 'sigungu');
  if (sido === undefined) return { selection: parts, where: printed, warnings };
  const match = findRegion(sido, sigungu);
  if (match === null) {
    warnings.push(unknownRegion({ sido, sigungu }));
    return { selection: null, where: printed, warnings };
  }
  warnings.push(...noticesOf(match, [stored]));
  return { selection: { ...parts, regions: [match.countedCode] }, where: printed, warnings };
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

function missing(parameter: string, given: string): Problem {
  const detail = {
    ko:
      parameter === 'sido'
        ? 'sigungu는 sido와 함께 써야 합니다. 같은 이름의 시군구가 여러 곳에 있습니다.'
        : `${given}는 ${parameter}와 함께 써야 합니다.`,
    en:
      parameter === 'sido'
        ? 'sigungu needs sido, because several regions share a name. Add sido.'
        : `${given} needs ${parameter}. Add it.`,
  };
  const reason = { ko: '값이 필요합니다.', en: 'A value is required.' };
  return new Problem('missing_parameter', detail, { errors: [{ parameter, reason }] });
}
