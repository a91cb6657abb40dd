import type { Field, StoredAxis, Value } from '../../data/axis.ts';
import type { Aggregate } from '../../data/columns/aggregates.ts';
import { readSelection } from '../../lookup/selection.ts';
import type { PageRequest } from '../serve-page.ts';
import { isMeasure } from './chart-choices.ts';
import type { NamedRegion } from './query-region.ts';

/** A field of a dataset with its sum and its average in each of several regions. */
export interface RegionMeasure {
  readonly stored: StoredAxis;
  readonly field: Field;
  /** In the order of the regions; null without a number. */
  readonly values: readonly ({ readonly sum: number; readonly avg: number } | null)[];
}

/** Sums and averages of the first numeric fields of some datasets. */
export async function regionMeasures(
  datasets: readonly StoredAxis[],
  places: readonly NamedRegion['place'][],
  request: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<RegionMeasure[]> {
  const measured = datasets
    .filter(({ rows, fields }) => rows <= rowsMax && fields.some(isComparable))
    .slice(0, datasetsMax);
  const found = measured.map(async (stored): Promise<RegionMeasure[]> => {
    const fields = stored.fields.filter(isComparable).slice(0, fieldsMax);
    const groups = await Promise.all(
      places.map((place) => wholeOf(stored, fields, place, request)),
    );
    return fields
      .map((field, at) => ({
        stored,
        field,
        values: groups.map((group) => {
          const [sum, avg] = [group?.[`sum ${at}`], group?.[`avg ${at}`]];
          return typeof sum === 'number' && typeof avg === 'number' ? { sum, avg } : null;
        }),
      }))
      .filter(({ values }) => values.some((value) => value !== null));
  });
  return (await Promise.all(found)).flat();
}

/** Sum and average of fields over the records of a region, without totals of the source. */
async function wholeOf(
  stored: StoredAxis,
  fields: readonly Field[],
  place: NamedRegion['place'],
  { store, isAbandoned }: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<Readonly<Record<string, Value>> | undefined> {
  const { selection } = readSelection({ ...place, where: '_total = false' }, stored);
  if (selection === null) return undefined;
  const aggregates = fields.flatMap(({ name }, at): Aggregate[] =>
    (['sum', 'avg'] as const).map((called) => ({
      name: `${called} ${at}`,
      function: called,
      column: name,
    })),
  );
  const query = { ...selection, by: [], aggregates, offset: 0, limit: 1 };
  const { items } = await store.groups(stored.axis.code, query, isAbandoned);
  return items[0];
}

const datasetsMax = 6;
const fieldsMax = 2;
/** A page waits for each dataset. */
const rowsMax = 200_000;

/** True for a field of amounts; a number that only names something has no sum. */
function isComparable(field: Field): boolean {
  return (
    isMeasure(field) &&
    !/코드|번호|번지|[본부]번|연번|순번|순위|연도|년도|일자|\bcode\b|\bno\b|\brank\b/i.test(
      field.label,
    )
  );
}
