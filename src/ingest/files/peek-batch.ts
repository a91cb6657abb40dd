import type { Batch } from './table.ts';

/** Reads the first rows of a table ahead; `batches` still has them. */
export async function peekBatch(
  batches: AsyncIterable<Batch>,
): Promise<{ readonly first: Batch['rows']; readonly batches: AsyncIterable<Batch> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    first: first.done === true ? [] : first.value.rows,
    batches: allBatches(first, iterator),
  };
}

async function* allBatches(
  first: IteratorResult<Batch>,
  batches: AsyncIterator<Batch>,
): AsyncGenerator<Batch, void> {
  try {
    for (let each = first; each.done !== true; each = await batches.next()) yield each.value;
  } finally {
    await batches.return?.();
  }
}
