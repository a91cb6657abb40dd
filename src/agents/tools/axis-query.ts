import type { Axis, StoredAxis } from '../../data/axis.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import { Problem } from '../../kernel/problem.ts';
import { dateOf, freshnessOf } from '../../data/freshness.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { printName } from '../../lookup/where/print.ts';
import type { ToolContext } from '../call-endpoint.ts';
import { datasetCitation } from '../citation.ts';
import { requireRegion } from '../region-of.ts';

/** Arguments that select records of a dataset. */
export interface SelectionArguments {
  readonly where?: string;
  readonly region?: string;
  readonly near?: { readonly lat: number; readonly lon: number; readonly radius?: number };
  readonly q?: string;
}

/** Parameters of the endpoints that select the same records. */
export function selectionValues(
  { where, region, near, q }: SelectionArguments,
  { store }: ToolContext,
): Values {
  if (near !== undefined) refuseOffEarth(near);
  return {
    where,
    q,
    ...(region === undefined ? {} : regionValues(region, store)),
    ...(near === undefined
      ? {}
      : {
          near: `${near.lat},${near.lon}`,
          radius: near.radius === undefined ? undefined : Math.round(near.radius),
        }),
  };
}

function refuseOffEarth({ lat, lon }: NonNullable<SelectionArguments['near']>): void {
  if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return;
  throw new Problem('invalid_parameter', {
    ko: 'near의 lat은 위도(서울은 37.5), lon은 경도(서울은 127.0)입니다.',
    en: 'near: lat is the latitude (37.5 in Seoul), lon the longitude (127.0).',
  });
}

/** The parameters of a region. Throws 400 for an unknown or ambiguous name. */
export function regionValues(name: string, store: LookupStore): Values {
  const { sido, sigungu } = requireRegion(name, store);
  return { sido, sigungu };
}

/** A list of names as a parameter of the endpoints; undefined for an empty list. */
export function listValue(names: readonly string[] | undefined): string | undefined {
  return names === undefined || names.length === 0 ? undefined : names.join(',');
}

/** Names of fields as a parameter of the endpoints: names with a comma or a space are quoted. */
export function namesValue(
  names: readonly string[] | undefined,
  { fields }: StoredAxis,
): string | undefined {
  const known = new Set(fields.flatMap(({ name, label }) => [name, label]));
  const quoted = names?.map((name) => {
    const sign = /^[-+]/.exec(name)?.[0] ?? '';
    const rest = name.slice(sign.length);
    return known.has(name) ? printName(name) : known.has(rest) ? sign + printName(rest) : name;
  });
  return listValue(quoted);
}

/** Words for the date of the data; of an undated source, for the day on which it was stored. */
function dateText(axis: Axis): string {
  const isDated = axis.sourceModified !== null;
  return isDated ? `data of ${dateOf(axis)}` : `undated source, stored ${dateOf(axis)}`;
}

/** Origin, freshness and citation, which every answer about one dataset has. */
export function datasetPart(stored: StoredAxis, context: ToolContext) {
  const { axis } = stored;
  const freshness = freshnessOf(axis, context.today);
  return {
    origin: axis.origin,
    freshness,
    citation: datasetCitation(stored, context),
    freshnessRemark: `Freshness: ${freshness} (${dateText(axis)}).`,
  };
}
