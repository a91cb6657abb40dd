import { regionTable } from './region-table.ts';

/** True for a full or short name that a region has or had: 강원, 강원도, 해운대구, 해운대. */
export function isRegionName(word: string): boolean {
  return names.has(word);
}

const names: ReadonlySet<string> = new Set(
  regionTable.flatMap(({ name, short }) => [name, short]).filter((name) => name.length > 1),
);
