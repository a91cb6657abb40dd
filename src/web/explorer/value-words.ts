import type { Field, StoredAxis } from '../../data/axis.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { perStore } from '../../lookup/per-store.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import { expressionOf } from './simple-condition.ts';

/** Terms of a query as conditions on the fields whose values they are. */
interface ValueReading {
  readonly conditions: readonly Expression[];
  /** Terms that are not values of these fields. */
  readonly rest: readonly SearchTerm[];
}

/**
 * Reads each term that is exactly a value of a field with few values, such as 무료, as a condition on that field. A stray
 * value of another field does not count: 214 car parks have 무료 as a way to pay, 9,038 as their fee.
 */
export async function readValueWords(
  terms: readonly SearchTerm[],
  stored: StoredAxis,
  store: LookupStore,
): Promise<ValueReading> {
  if (terms.length === 0) return { conditions: [], rest: terms };
  const values = await fewValuesOf(stored, store);
  const conditions: Expression[] = [];
  const rest = terms.filter(({ text }) => {
    const condition = values.get(text);
    if (condition !== undefined) conditions.push(condition);
    return condition === undefined;
  });
  return { conditions, rest };
}

/** Conditions by the normalised value that they compare with. */
type ValueConditions = ReadonlyMap<string, Expression>;

const conditionsByAxis = perStore(() => new Map<string, ValueConditions>());

async function fewValuesOf(stored: StoredAxis, store: LookupStore): Promise<ValueConditions> {
  const { code } = stored.axis;
  const known = conditionsByAxis(store).get(code);
  if (known !== undefined) return known;
  const uses: { text: string; count: number; condition: Expression }[] = [];
  for (const { name } of stored.fields.filter(hasFewValues).slice(0, fieldsMax)) {
    const { items } = await store.values(code, { column: name, offset: 0, limit: valuesMax });
    for (const { value, count } of items) {
      const text = matchingText(String(value));
      const condition = expressionOf({ column: name, test: 'is', value: String(value) });
      if (/\p{L}{2}/u.test(text)) uses.push({ text, count, condition });
    }
  }
  const conditions = new Map<string, Expression>();
  for (const [text, ofText] of Map.groupBy(uses, (use) => use.text)) {
    const [most, next] = ofText.toSorted((a, b) => b.count - a.count);
    if (next === undefined || most!.count >= strayRatio * next.count)
      conditions.set(text, most!.condition);
  }
  conditionsByAxis(store).set(code, conditions);
  return conditions;
}

const strayRatio = 10;

/** A code or a name is not a category, and regions have filters of their own. */
function hasFewValues({ type, role, stats: { distinct } }: Field): boolean {
  return (
    type === 'string' && role === null && distinct !== null && distinct > 1 && distinct <= valuesMax
  );
}

const valuesMax = 50;
const fieldsMax = 40;
