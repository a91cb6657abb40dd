import { dayMs } from '../../data/korean-time.ts';
import { PortalError } from '../client/portal-error.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { AxisContext, AxisSource } from '../runs/axis-source.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import { collectFile, type FileSource } from './collect-file.ts';
import { isGone } from '../runs/request-failed.ts';
import { collectTable, type TableSource } from './collect-table.ts';
import { standardOperation } from './standard-operation.ts';
import { clearStoredTable, storedTable } from './paged-table.ts';

/** Upstream of a dataset's records: its file, the portal's table of the file, or the standard data. */
export type DatasetUpstream = (typeof datasetUpstreams)[number];
export const datasetUpstreams = ['download', 'odcloud', 'standard'] as const;

export interface DatasetOptions extends Omit<FileSource, 'number'> {
  /** The upstream that the operator chose; null to choose by the type of the dataset. */
  readonly upstream: DatasetUpstream | null;
  /** Only files can be downloaded without a key. */
  readonly hasKey: boolean;
}

/** A dataset of the portal by its number as a source; its axis is `file_<number>`. */
export function datasetSource(number: string, options: DatasetOptions): AxisSource {
  const code = `file_${number}`;
  const entry = options.catalog.byNumber(number);
  return (context) => ({
    code,
    title: entry?.title ?? standardOperation(number)?.title ?? code,
    command: `collect ${code}`,
    keeps: 'mirror',
    skipReason: null,
    plan: () => ({ requests: 3, resumableMs: dayMs }),
    servedOrigin: () => context.stored.served(code)?.axis.origin ?? null,
    collect: (run) => collectDataset(number, options, context, run),
  });
}

async function collectDataset(
  number: string,
  options: DatasetOptions,
  context: AxisContext,
  run: RunContext,
): Promise<Collection<WrittenAxis>> {
  const fixedUpstream = storedTable(run)?.upstream ?? options.upstream;
  const upstream = fixedUpstream ?? usualUpstream(number, options.catalog);
  if (upstream !== 'download' && options.choice === null) {
    const table = { ...options, number, upstream };
    const mayDownload = options.upstream === null && upstream === 'standard';
    if (!mayDownload) return collectTable(table, context, run);
    return collectStandard(table, options, context, run);
  }
  try {
    return await collectFile({ ...options, number }, context, run);
  } catch (error) {
    const mayFallBack = options.upstream === null && options.hasKey && context.client !== null;
    run.signal?.throwIfAborted();
    if (!mayFallBack || !isFileError(error)) throw error;
    return await collectFallback(number, options, context, run, error);
  }
}

/**
 * Collects standard data by its operation, or its file if there is no key or the operation is gone. If the file fails,
 * too, throws the error of the operation.
 */
async function collectStandard(
  table: TableSource,
  options: DatasetOptions,
  context: AxisContext,
  run: RunContext,
): Promise<Collection<WrittenAxis>> {
  const { number } = table;
  const hasNoTable = context.client === null ? storedTable(run) === null : !options.hasKey;
  if (hasNoTable) return await collectFile({ ...options, number }, context, run);
  try {
    return await collectTable(table, context, run);
  } catch (error) {
    run.signal?.throwIfAborted();
    const hasNoOperation =
      error instanceof PortalError && (isGone(error) || error.code === 'no_operation');
    if (!hasNoOperation) throw error;
    clearStoredTable(run);
    return await collectFile({ ...options, number }, context, run).catch((fileError: unknown) => {
      run.signal?.throwIfAborted();
      throw isFileError(fileError) ? error : fileError;
    });
  }
}

/** Upstream by the type of a dataset. Standard data is requested by its operation, since its file may be older. */
function usualUpstream(number: string, catalog: CatalogLookup): DatasetUpstream {
  const type = catalog.byNumber(number)?.type;
  if (type === 'STD') return 'standard';
  return type === undefined && standardOperation(number) !== undefined ? 'standard' : 'download';
}

/** True for an error after which the portal's table is tried. The portal has no table of a file that only an agency offers. */
function isFileError(error: unknown): error is PortalError | FileRefused {
  return (
    error instanceof FileRefused || (error instanceof PortalError && error.code !== 'agency_hosted')
  );
}

/** Collects the portal's table of a file. If it fails, too, throws the error of the file, or the spent quota. */
async function collectFallback(
  number: string,
  options: DatasetOptions,
  context: AxisContext,
  run: RunContext,
  fileError: PortalError | FileRefused,
): Promise<Collection<WrittenAxis>> {
  try {
    return await collectTable({ ...options, number, upstream: 'odcloud' }, context, run);
  } catch (error) {
    run.signal?.throwIfAborted();
    if (error instanceof PortalError && error.class === 'quota') throw error;
    if (!isFileError(error)) throw error;
    clearStoredTable(run);
    throw fileError;
  }
}
