import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import { dateOf, freshnessOf, todayInSeoul } from '../../data/freshness.ts';
import { diffSnapshots } from '../../data/snapshot/diff.ts';
import { axisCodes, type Manifest } from '../../data/snapshot/layout.ts';
import { readAxis } from '../../data/snapshot/read-axis.ts';
import { currentId, readManifest, snapshotIds } from '../../data/snapshot/snapshots.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AdminHandlers } from './call.ts';

/** Handlers that read the open data in the folder of the service. */
export const openDataReads = {
  async datasets({ data, context }) {
    const manifest = currentManifest(data);
    const today = todayInSeoul(context.now());
    return { items: manifest === null ? [] : datasetsOf(data, manifest, today) };
  },

  async collections({ collections }) {
    return { items: collections() };
  },

  async quotas({ quotas }) {
    return { items: quotas() };
  },

  async snapshots({ data }) {
    const current = currentId(data);
    const items = snapshotIds(data).flatMap((id) => {
      const manifest = manifestOrNull(data, id);
      if (manifest === null) return [];
      const { builtAt, reason, files } = manifest;
      const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
      const axes = axisCodes(manifest).length;
      return [{ id, is_current: id === current, built_at: builtAt, bytes, axes, reason }];
    });
    return { items };
  },

  async snapshotDifference({ data, parameters: { snapshot_id: from } }) {
    requireSnapshot(data, from);
    const to = currentId(data) ?? from;
    const items = diffSnapshots(data, from, to).map((difference) => ({
      axis: difference.code,
      change: difference.change,
      rows_from: difference.rowsBefore,
      rows_to: difference.rowsAfter,
      fields_added: difference.fieldsAdded,
      fields_removed: difference.fieldsRemoved,
    }));
    return { from, to, items };
  },
} as const satisfies Partial<AdminHandlers>;

/** 404 `unknown_snapshot` for an id that the data folder lacks. */
export function requireSnapshot(data: string, id: string): void {
  if (snapshotIds(data).includes(id) && manifestOrNull(data, id) !== null) return;
  throw new Problem('unknown_snapshot', {
    ko: `${id} 스냅샷이 없습니다. 목록에서 다시 고르세요.`,
    en: `There is no snapshot ${id}. Choose one of the list.`,
  });
}

function currentManifest(data: string): Manifest | null {
  const id = currentId(data);
  return id === null ? null : manifestOrNull(data, id);
}

/** The manifest of a snapshot. Null if another process has just removed it, or if its format cannot be served. */
function manifestOrNull(data: string, id: string): Manifest | null {
  try {
    return readManifest(data, id);
  } catch {
    return null;
  }
}

type Datasets = Answer<typeof adminContract.datasets>['items'];

/**
 * Cached datasets of one snapshot, which never changes. The key has its build time: an emptied folder begins with the
 * same ids again.
 */
let cached: { readonly key: string; readonly items: Datasets } = { key: '', items: [] };

function datasetsOf(data: string, manifest: Manifest, today: string): Datasets {
  const key = [data, manifest.id, manifest.builtAt, today].join(' ');
  if (cached.key === key) return cached.items;
  const items = axisCodes(manifest)
    .sort()
    .map((code) => {
      // The manifest has the file of every code.
      const { axis, rows, quality } = readAxis(data, manifest, code)!;
      return {
        axis: code,
        title: axis.title,
        origin: axis.origin,
        provider: axis.provider?.name ?? null,
        rows,
        date: dateOf(axis),
        freshness: freshnessOf(axis, today),
        findings: quality?.findings ?? [],
      };
    });
  cached = { key, items };
  return items;
}
