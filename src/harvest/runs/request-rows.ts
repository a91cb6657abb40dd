import type { FetchedFacts } from './page-facts.ts';
import { RowOwners } from './row-owners.ts';
import type { FetchedPage } from './settle-pages.ts';

/** A further copy of a page, whose rows belong to the request, too. */
interface ExtraCopy {
  /** From 0. */
  readonly page: number;
  readonly copy: number;
}

/**
 * The rows of all pages of a request. A row that stands on two pages counts once: it took the place of another row,
 * as when the source has no order or a cache returns the wrong page. A row that a page itself repeats counts each
 * time, since some sources list every row twice.
 */
export class RequestRows {
  /** Rows that no earlier page has. */
  distinct = 0;
  /** For each page, its rows that another page has, too. */
  readonly shared: readonly number[];
  /** Pages with the keys of an earlier page, row for row. Their rows may differ, as by the time of the answer. */
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

  /** Adds rows of copies that were not chosen, until there are `total` rows; returns the copies that have new ones. */
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
