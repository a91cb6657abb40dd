import type { PublishedField } from '../fields/profiler.ts';
import { cutName } from '../files/column-names.ts';
import type { Table } from '../files/table.ts';

/** The labels that a file itself gives to its columns: as a description of them, or in a second row of names. */
export function publishedFields({ columns, labels, layout }: Table): PublishedField[] {
  const described = Array.from(labels ?? [], ([name, label]) => ({ name, label }));
  const seconds = columns.flatMap((name, index) => {
    const second = layout.secondNames?.[index] ?? null;
    if (second === null) return [];
    if (/[가-힣]/u.test(second)) return [{ name, label: second }];
    return englishLabel.test(second)
      ? [{ name, label: '', labelEn: cutName(second).replaceAll('_', ' ') }]
      : [];
  });
  return [...described, ...seconds].map((field) => ({
    ...field,
    label: cutName(field.label),
    labelSource: 'header',
  }));
}

/** Matches words of English; `FCLT_NM` and `A01` are names of programs. */
const englishLabel = /^[A-Z][a-z]+(?:[\s,./&()%_-][A-Za-z\s,./&()%_-]*)?$/u;
