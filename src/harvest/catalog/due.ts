import type { Origin } from '../../data/axis.ts';
import { isDue } from '../runs/due.ts';
import type { Runs } from '../runs/runs.ts';
import { catalogCode, catalogParts, type CatalogPartName } from './collected.ts';

/** The parts whose cycle is over or whose run was interrupted. */
export function dueParts(runs: Runs, origin: Origin, now: number): CatalogPartName[] {
  return catalogParts.filter((part) =>
    isDue({ code: catalogCode(part), schedule: cycles[part] }, runs, origin, now),
  );
}

/** The list file is published once a month, on no fixed day; collecting LINKED takes an hour. */
const cycles: Readonly<Record<CatalogPartName, string>> = {
  list: 'P7D',
  api: 'P1D',
  linked: 'P1M',
};
