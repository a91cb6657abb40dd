import type { LookupStore } from './store/store.ts';

/** Computes a value of a store once, on first use; it is released with the store. */
export function perStore<Made>(make: (store: LookupStore) => Made): (store: LookupStore) => Made {
  const made = new WeakMap<LookupStore, Made>();
  return (store) => {
    let value = made.get(store);
    if (value === undefined) made.set(store, (value = make(store)));
    return value;
  };
}

/** The same for what is another thing on another day. */
export function perStoreAndDay<Made>(
  make: (store: LookupStore, today: string) => Made,
): (store: LookupStore, today: string) => Made {
  const lastMade = perStore(() => new Map<string, Made>());
  return (store, today) => {
    const last = lastMade(store);
    let value = last.get(today);
    if (value === undefined) {
      last.clear();
      last.set(today, (value = make(store, today)));
    }
    return value;
  };
}
