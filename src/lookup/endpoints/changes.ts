import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { recordId } from '../../data/record-id.ts';
import { isSnapshotId } from '../../data/snapshot/layout.ts';
import type { Document } from '../../kernel/http/result.ts';
import { pageLinks, snapshotMeta, textContent, warningsHeader, warningsPart } from '../answers.ts';
import { changesFeed } from '../changes-feed.ts';
import { snapshotGone } from '../pinned-snapshot.ts';
import { invalidParameter, requireAxis } from '../refusals.ts';
import type { ApiRequest } from '../serve.ts';
import { addedName } from '../shown-fields.ts';
import type { Changes, LookupStore } from '../store/store.ts';

type ChangesParams = RouteParameters<typeof lookupContract.changes>;

/** Records of an axis that were added, changed or removed since an earlier snapshot. */
export function changes(params: ChangesParams, store: LookupStore) {
  const stored = requireAxis(params.axis, store);
  const since = earlierSnapshot(params.since, store);
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const { axis, limit, offset, format } = params;
    const found = since === null ? noChanges : await store.changes(axis, { since, offset, limit });
    if (found === null) throw snapshotGone('since', since ?? '', store.snapshotIds());
    const { totals } = found;
    const total = totals.added + totals.changed + totals.removed;
    const { next, prev, headers } = pageLinks(request, { offset, limit, total });
    if (format === 'atom') {
      const body = changesFeed({ stored, since, changes: found, next, store });
      const type = lookupContract.changes.formats.atom;
      return { body, type, headers: { ...headers, ...warningsHeader(request.warnings) } };
    }
    const head = JSON.stringify({ axis, title: stored.axis.title, since });
    const tail = JSON.stringify({
      totals,
      count: found.added.length + found.changed.length + found.removed.length,
      total,
      limit,
      offset,
      next,
      prev,
      meta: snapshotMeta(store),
      ...warningsPart(request.warnings),
    });
    return textContent(
      `${head.slice(0, -1)},${listsJson(stored, found)},${tail.slice(1)}`,
      headers,
    );
  };
}

/** The records are bytes of the store, with their ids put in front. */
function listsJson(
  { axis: { keyFields }, fields }: StoredAxis,
  { added, changed, removed }: Changes,
): string {
  const idName = JSON.stringify(addedName('_id', fields));
  const withId = (json: Buffer): string => {
    const text = json.toString();
    const separator = text === '{}' ? '' : ',';
    return `{${idName}:"${recordId(json, keyFields)}"${separator}${text.slice(1)}`;
  };
  const pairs = changed.map(
    ({ before, after }) =>
      `{"id":"${recordId(after, keyFields)}","before":${before.toString()},"after":${after.toString()}}`,
  );
  return `"added":[${added.map(withId).join()}],"changed":[${pairs.join()}],"removed":[${removed.map(withId).join()}]`;
}

/** Id of the snapshot that the parameter names; the one before the current without it, null if there is none. */
function earlierSnapshot(since: string | undefined, store: LookupStore): string | null {
  const ids = store.snapshotIds();
  if (since === undefined) return ids.findLast((id) => id < store.snapshot.id) ?? null;
  if (isSnapshotId(since)) {
    if (ids.includes(since)) return since;
    throw snapshotGone('since', since, ids);
  }
  if (!/^\d{4}-?\d{2}-?\d{2}$/.test(since)) {
    throw invalidParameter('since', {
      ko: '스냅샷(20261121-0003)이나 날짜(2026-11-21)를 쓰세요.',
      en: 'Send a snapshot (20261121-0003) or a date (2026-11-21).',
    });
  }
  // Ids begin with their day.
  const day = since.replaceAll('-', '');
  const last = ids.findLast((id) => id.slice(0, day.length) <= day);
  if (last === undefined) throw snapshotGone('since', since, ids);
  return last;
}

const noChanges: Changes = {
  added: [],
  changed: [],
  removed: [],
  totals: { added: 0, changed: 0, removed: 0 },
};
