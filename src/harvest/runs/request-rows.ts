import type { FetchedFacts } from './page-facts.ts';
import { RowOwners } from './row-owners.ts';
import type { FetchedPage } from './settle-pages.ts';

/** A further copy of a page that adds rows to the request. */
interface ExtraCopy {
  /** Index of the page, from 0. */
  readonly page: number;
  readonly copy: number;
}

/**
 * The rows of all pages of a request. A row on two pages counts once: it took the place of another row, as when
 * the source has no order or a cache returns the wrong page. A row that is repeated within a page counts each time,
 * since some sources list every row twice.
 */
export class RequestRows {
  /** Number of rows that no earlier page has. */
  distinct = 0;
  /** Number of rows of each page that another page has as well. */
  readonly shared: readonly number[];
  /** Indexes of pages with the same row keys as an earlier page; other values, such as a time, may differ. */
  readonly twins: ReadonlySet<number>;
  readonly #pageOfKeys = new Map<string, number>();
  readonly #pages: readonly FetchedPage<FetchedFacts>[];
  readonly #owners: RowOwners;

  constructor(pages: readonly FetchedPage<FetchedFacts>[]) {
    this.#pages = pages;
    this.#owners = new RowOwners(pages.reduce((sum, { facts }) => sum + facts.rows, 0));
    const shared = pages.map(() => 0);
    const twins = new Set<number>();
    for (const [at, { facts }] of pages.entries()) {
      const { keyDigest } = facts;
      const first = keyDigest === null ? undefined : this.#pageOfKeys.get(keyDigest);
      if (first !== undefined) {
        twins.add(at);
        for (const page of [at, first]) shared[page]! += facts.rows;
        continue;
      }
      if (keyDigest !== null) this.#pageOfKeys.set(keyDigest, at);
      this.#owners.add(facts.rowHashes, at, (owner) => {
        if (owner === at) this.distinct++;
        else for (const page of [at, owner]) shared[page]! += 1;
      });
    }
    this.shared = shared;
    this.twins = twins;
  }

  /** Adds rows of copies that were not chosen, until there are `total` rows. Returns the copies with new rows. */
  addExtraCopies(total: number): ExtraCopy[] {
    const extra: ExtraCopy[] = [];
    for (const [at, { copies, facts: chosen }] of this.#pages.entries()) {
      for (const [copy, facts] of copies.entries()) {
        if (this.distinct >= total) return extra;
        if (facts.digest === chosen.digest || facts.damagedRows > 0) continue;
        if (facts.keyDigest !== null && this.#pageOfKeys.has(facts.keyDigest)) continue;
        const added = this.#owners.addAll(facts.rowHashes, at);
        this.distinct += added;
        if (added > 0) extra.push({ page: at, copy });
      }
    }
    return extra;
  }
}
