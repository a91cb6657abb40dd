import type { LookupStore } from './store/store.ts';

/** Makes something of a store once, when it is first asked for; it goes when the store goes. */
export function perStore<Made>(make: (store: LookupStore) => Made): (store: LookupStore) => Made {
  const made = new WeakMap<LookupStore, Made>();
  return (store) => {
    let value = made.get(store);
    if (value === undefined) made.set(store, (value = make(store)));
    return value;
  };
}
