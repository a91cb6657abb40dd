import type { FieldType, StoredAxis } from '../../data/axis.ts';
import type { ValueFormat } from '../../data/values/read-value.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { shownLabel } from '../../data/shown-label.ts';
import { nearestFew } from '../../kernel/nearest.ts';
import { printName } from './print.ts';
import { whereProblem } from './refusal.ts';
import type { Word } from './syntax.ts';

/** A column of an axis that a query may name: a field, or a value that Maru adds to each record. */
export interface NamedColumn extends Omit<ValueFormat, 'type'> {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType | 'region';
  /** True for an aggregate: each of its values is one of its type, so that no other value can equal it. */
  readonly isReadable?: true;
}

/** Resolves the names of a condition; throws 400 for an unknown one. */
export interface ColumnFinder {
  find(name: Word, parameter: string): NamedColumn;
}

/** The columns of an axis by name and by label. */
export class AxisColumns implements ColumnFinder {
  /** Names and labels, for suggestions. */
  readonly texts: readonly string[];
  readonly #fields: readonly NamedColumn[];
  readonly #lists: readonly ReadonlyMap<string, readonly NamedColumn[]>[];

  constructor({ fields }: Pick<StoredAxis, 'fields'>) {
    this.#fields = fields.map(({ name, label, labelSource, type, unit, signs }) => {
      const shown = shownLabel({ name, label, labelSource });
      return { name, label: shown, type, unit, ...(signs === undefined ? {} : { signs }) };
    });
    const columns = [...this.#fields, ...workedOutColumns];
    this.texts = [...new Set(columns.flatMap(({ name, label }) => [name, label]))];
    // Names count before labels, and the given spelling before a similar one.
    this.#lists = [
      Map.groupBy(workedOutColumns, ({ name }) => name),
      Map.groupBy(this.#fields, ({ name }) => name.normalize('NFC')),
      Map.groupBy(this.#fields, ({ label }) => label.normalize('NFC')),
      Map.groupBy(columns, ({ name }) => looseName(name)),
      Map.groupBy(columns, ({ label }) => looseName(label)),
    ];
  }

  /** The column that a text names in upper or lower case, with or without blanks. Throws 400 if none or several. */
  find({ text, position }: Word, parameter: string): NamedColumn {
    const found = this.lookUp(text);
    if (found.length === 1 && found[0] !== undefined) return found[0];
    if (found.length > 1) {
      const names = found.map(({ name }) => name);
      const reason = {
        ko: `이 이름의 필드가 여럿입니다: ${names.join(', ')}`,
        en: `Several fields have this label: ${names.join(', ')}`,
      };
      throw whereProblem(parameter, {
        position,
        reason,
        expected: ['field'],
        suggestions: names.map(printName),
        value: text,
      });
    }
    const reason = {
      ko: '이 축에 없는 필드입니다. 필드는 /api/data/fields에 있습니다.',
      en: 'The axis has no such field. /api/data/fields lists them.',
    };
    const suggestions = this.near(text);
    throw whereProblem(parameter, {
      position,
      reason,
      expected: ['field'],
      suggestions,
      value: text,
    });
  }

  /** Columns that a text names. */
  lookUp(text: string): readonly NamedColumn[] {
    const [exact, loose] = [text.normalize('NFC'), looseName(text)];
    for (const [at, list] of this.#lists.entries()) {
      const found = list.get(at < 3 ? exact : loose);
      if (found !== undefined) return found;
    }
    return [];
  }

  /** Names and labels that a mistyped text may mean, as the grammar writes them. */
  near(text: string): string[] {
    const typed = looseName(text);
    const containing = this.texts.filter(
      (one) => typed.length > 1 && looseName(one).includes(typed),
    );
    const all = new Set([...nearestFew(text, this.texts, suggestionsMax), ...containing]);
    return [...all].slice(0, suggestionsMax).map(printName);
  }
}

const suggestionsMax = 5;

const workedOutColumns: readonly NamedColumn[] = [
  { name: '_sido', label: '_sido', type: 'region' },
  { name: '_sigungu', label: '_sigungu', type: 'region' },
  { name: '_total', label: '_total', type: 'boolean' },
];

function looseName(text: string): string {
  return matchingText(text).replaceAll(' ', '');
}
