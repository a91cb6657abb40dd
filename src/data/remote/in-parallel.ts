/** Runs `work` for each item, at most `most` at once. The first error stops the others before their next item. */
export async function inParallel<Item>(
  most: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  let isStopped = false;
  const runner = async (): Promise<void> => {
    while (!isStopped) {
      const next = remaining.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const runners = Array.from({ length: most }, runner);
  await Promise.allSettled(runners);
  await Promise.all(runners);
}
