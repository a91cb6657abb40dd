import type { Row, StoredAxis } from '../data/axis.ts';
import { recordId } from '../data/record-id.ts';
import type { Changes, LookupStore } from './store/store.ts';

interface FeedContent {
  readonly stored: StoredAxis;
  /** Id of the earlier snapshot; null if there is none. */
  readonly since: string | null;
  readonly changes: Changes;
  /** Path-absolute URL of the next page. */
  readonly next: string | null;
  readonly store: LookupStore;
}

/** Changes of an axis as an Atom feed (RFC 4287), an entry for each record. */
export function changesFeed({ stored, since, changes, next, store }: FeedContent): Buffer {
  const { code, title, provider, sourceUrl } = stored.axis;
  const { id, builtAt } = store.snapshot;
  const entryOf = ({ kind, json, before }: Change): string => {
    const record = recordId(json, stored.axis.keyFields);
    const row = JSON.parse(json.toString()) as Row;
    const lines = before === null ? linesOf(row) : changedLines(before, row);
    return `<entry><id>urn:maru:${code}:${id}:${kind}:${record}</id><title>${escapeXml(
      `${kindNames[kind]}: ${nameOf(stored, row) ?? record}`,
    )}</title><updated>${builtAt}</updated><category term="${kind}"/><content type="text">${escapeXml(
      lines.join('\n'),
    )}</content></entry>`;
  };
  const link = (rel: string, target: string): string =>
    `<link rel="${rel}" href="${escapeXml(target)}"/>`;
  const parts = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ko">',
    `<id>urn:maru:${code}:changes</id>`,
    `<title>${escapeXml(`${title} 변경`)}</title>`,
    since === null ? '' : `<subtitle>${since} → ${id}</subtitle>`,
    `<updated>${builtAt}</updated>`,
    `<author><name>${escapeXml(provider?.name ?? '마루')}</name></author>`,
    sourceUrl === null ? '' : link('related', sourceUrl),
    next === null ? '' : link('next', next),
    ...changesOf(changes).map(entryOf),
    '</feed>',
  ];
  return Buffer.from(`${parts.filter((part) => part !== '').join('\n')}\n`);
}

interface Change {
  readonly kind: keyof typeof kindNames;
  readonly json: Buffer;
  readonly before: Row | null;
}

const kindNames = { added: '추가', changed: '변경', removed: '삭제' } as const;

function changesOf({ added, changed, removed }: Changes): Change[] {
  return [
    ...added.map((json): Change => ({ kind: 'added', json, before: null })),
    ...changed.map(({ before, after }): Change => ({
      kind: 'changed',
      json: after,
      before: JSON.parse(before.toString()) as Row,
    })),
    ...removed.map((json): Change => ({ kind: 'removed', json, before: null })),
  ];
}

function nameOf({ fields }: StoredAxis, row: Row): string | null {
  const name = fields.find(({ role }) => role === 'name')?.name;
  const value = name === undefined ? null : (row[name] ?? null);
  return value === null ? null : String(value);
}

function linesOf(row: Row): string[] {
  return Object.entries(row).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
}

function changedLines(before: Row, after: Row): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, value] = [before[name] ?? null, after[name] ?? null];
    return old === value ? [] : [`${name}: ${old ?? '–'} → ${value ?? '–'}`];
  });
}

/** Text for XML 1.0, which excludes most control characters even as references. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- Control characters are what it removes.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (sign) => entities[sign]!)
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
