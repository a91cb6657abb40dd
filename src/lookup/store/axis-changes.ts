import { AxisFiles } from '../../data/snapshot/axis-files.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import type { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { compareRecords, type RecordChanges } from '../../data/snapshot/record-changes.ts';
import type { RecordsFile } from '../../data/snapshot/records.ts';
import { readManifest, snapshotFolder, snapshotIds } from '../../data/snapshot/snapshots.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';
import type { SlicedWork } from './sliced-work.ts';
import type { Changes, ChangesQuery } from './store.ts';

/** Compares axes of a snapshot with axes of earlier snapshots, which are opened for each request. */
export class AxisChanges {
  readonly #data: string;
  readonly #opened: OpenedSnapshot;
  readonly #cache = new ByteCache<RecordChanges>(cacheBytesMax);
  readonly #underWay = new Map<string, Promise<RecordChanges>>();
  readonly #slicedWork: SlicedWork;

  constructor(data: string, opened: OpenedSnapshot, slicedWork: SlicedWork) {
    this.#data = data;
    this.#opened = opened;
    this.#slicedWork = slicedWork;
  }

  /** Null if the earlier snapshot is no longer stored. */
  async page(code: string, { since, offset, limit }: ChangesQuery): Promise<Changes | null> {
    if (!snapshotIds(this.#data).includes(since)) return null;
    using earlier = new AxisFiles(
      snapshotFolder(this.#data, since),
      readManifest(this.#data, since),
    );
    const after = this.#opened.part(code).records;
    using before = earlier.records(code);
    const [from, until] = [offset, offset + limit];
    if (before === null) {
      const count = Math.max(0, Math.min(until, after.count) - from);
      return {
        added: Array.from({ length: count }, (_, at) => after.record(from + at)),
        changed: [],
        removed: [],
        totals: { added: after.count, changed: 0, removed: 0 },
      };
    }
    const rows = await this.#rows(code, since, before, after, earlier);
    const { added, changed, removed } = rows;
    const changedFrom = added.length;
    const removedFrom = changedFrom + changed.length;
    return {
      added: slice(added, from, until).map((row) => after.record(row)),
      changed: slice(changed, from - changedFrom, until - changedFrom).map(([old, row]) => ({
        before: before.record(old),
        after: after.record(row),
      })),
      removed: slice(removed, from - removedFrom, until - removedFrom).map((row) =>
        before.record(row),
      ),
      totals: { added: added.length, changed: changed.length, removed: removed.length },
    };
  }

  #rows(
    code: string,
    since: string,
    before: RecordsFile,
    after: RecordsFile,
    earlier: AxisFiles,
  ): Promise<RecordChanges> | RecordChanges {
    const [hash, earlierHash] = [this.#opened.files, earlier].map(
      (files) => files.facts(code, fileNames.records)?.sha256,
    );
    if (hash === earlierHash) return unchanged;
    const key = `${since} ${code}`;
    const cached = this.#cache.get(key) ?? this.#underWay.get(key);
    if (cached !== undefined) return cached;
    const comparison = this.#compare(key, code, before, after);
    this.#underWay.set(key, comparison);
    return comparison;
  }

  async #compare(
    key: string,
    code: string,
    before: RecordsFile,
    after: RecordsFile,
  ): Promise<RecordChanges> {
    try {
      const { keyFields } = this.#opened.axes.get(code)!.axis;
      const rows = await this.#slicedWork.run(compareRecords(before, after, keyFields));
      const { added, changed, removed } = rows;
      const bytes = (added.length + removed.length) * rowBytes + changed.length * pairBytes;
      this.#cache.set(key, rows, bytes);
      return rows;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

const cacheBytesMax = 1 << 25;
const rowBytes = 8;
const pairBytes = 64;
const unchanged: RecordChanges = { added: [], changed: [], removed: [] };

function slice<Item>(items: readonly Item[], from: number, until: number): readonly Item[] {
  return items.slice(Math.max(0, from), Math.max(0, until));
}
