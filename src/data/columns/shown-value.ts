import type { Value } from '../axis.ts';
import { isoOf } from '../values/iso.ts';
import type { Column } from './column.ts';

/** A readable value by its type: a number, an ISO date, a boolean; a text as the source wrote it. */
export function shownValue(column: Column, code: number): Value {
  switch (column.type) {
    case 'string':
      return column.valueOf(code);
    case 'boolean':
      return column.numberOf(code) === 1;
    case 'date':
    case 'datetime':
      return isoOf(column.numberOf(code));
    default:
      return column.numberOf(code);
  }
}
