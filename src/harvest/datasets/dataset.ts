import type { Run } from '../runs/runs.ts';
import { dayMs } from '../../data/korean-time.ts';
import { PortalError } from '../client/portal-error.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import type { Attempt, AttemptOptions } from '../runs/attempt.ts';
import type { Collectable } from '../runs/collectable.ts';
import { attemptFile, type FileDoor } from './file-door.ts';
import { attemptPages } from './pages-door.ts';
import { standardOperation } from './standard-operation.ts';
import { settledTable, unsettleTable } from './table-of-pages.ts';

/** Where a dataset's records come from: its file, the portal's table made of it, or the standard data. */
export type DatasetDoor = (typeof datasetDoors)[number];
export const datasetDoors = ['download', 'odcloud', 'standard'] as const;

export interface DatasetWays extends Omit<FileDoor, 'number'> {
  /** As a person asked for it; null to choose by what is known of the dataset. */
  readonly door: DatasetDoor | null;
  /** Without a key only files can be had. */
  readonly hasKey: boolean;
}

/** A dataset of the portal by its number, held as `file_<number>`. */
export function datasetOf(number: string, ways: DatasetWays): Collectable {
  const code = `file_${number}`;
  const entry = ways.catalog.byNumber(number);
  return {
    code,
    title: entry?.title ?? standardOperation(number)?.title ?? code,
    keeps: 'mirror',
    plan: () => ({ requests: 3, resumableMs: dayMs }),
    attempt: (run, options) => attemptDataset(number, ways, run, options),
  };
}

async function attemptDataset(
  number: string,
  ways: DatasetWays,
  run: Run,
  options: AttemptOptions,
): Promise<Attempt> {
  const settled = settledTable(options.data, `file_${number}`, run.id)?.door;
  const door = settled ?? ways.door ?? usualDoor(number, ways.catalog);
  if (door !== 'download' && ways.choice === null) {
    return attemptPages({ ...ways, number, door }, run, options);
  }
  try {
    return await attemptFile({ ...ways, number }, run, options);
  } catch (error) {
    const isSecondTried = ways.door === null && ways.hasKey && options.client !== null;
    options.signal?.throwIfAborted();
    if (!isSecondTried || !isOfDownload(error)) throw error;
    return await attemptSecond(number, ways, run, options, error);
  }
}

/** Standard data has no file of its own on the portal. */
function usualDoor(number: string, catalog: CatalogLookup): DatasetDoor {
  const type = catalog.byNumber(number)?.type;
  if (type === 'STD') return 'standard';
  return type === undefined && standardOperation(number) !== undefined ? 'standard' : 'download';
}

/** What the portal's own table can stand in for; a file that only the agency has is in no table. */
function isOfDownload(error: unknown): error is PortalError | FileRefused {
  return (
    error instanceof FileRefused || (error instanceof PortalError && error.code !== 'agency_hosted')
  );
}

/** The first door's failure is told where the second fails as well, unless that one only has to wait. */
async function attemptSecond(
  number: string,
  ways: DatasetWays,
  run: Run,
  options: AttemptOptions,
  first: PortalError | FileRefused,
): Promise<Attempt> {
  try {
    return await attemptPages({ ...ways, number, door: 'odcloud' }, run, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof PortalError && error.class === 'quota') throw error;
    if (!isOfDownload(error)) throw error;
    unsettleTable(options.data, `file_${number}`, run.id);
    throw first;
  }
}
