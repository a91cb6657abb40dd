import type { LookupStore } from './store/store.ts';

/** Computes a value of a store once, on first use; it is released with the store. */
export function perStore<Computed>(
  compute: (store: LookupStore) => Computed,
): (store: LookupStore) => Computed {
  const values = new WeakMap<LookupStore, Computed>();
  return (store) => {
    let value = values.get(store);
    if (value === undefined) values.set(store, (value = compute(store)));
    return value;
  };
}

/** Computes a value of a store and a day once; another day replaces it. */
export function perStoreAndDay<Computed>(
  compute: (store: LookupStore, today: string) => Computed,
): (store: LookupStore, today: string) => Computed {
  const valuesOfDays = perStore(() => new Map<string, Computed>());
  return (store, today) => {
    const valueByDay = valuesOfDays(store);
    let value = valueByDay.get(today);
    if (value === undefined) {
      valueByDay.clear();
      valueByDay.set(today, (value = compute(store, today)));
      // A value that could not be computed is computed again for the next request.
      if (value instanceof Promise) value.catch(() => valueByDay.delete(today));
    }
    return value;
  };
}
