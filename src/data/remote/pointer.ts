import { setTimeout as wait } from 'node:timers/promises';
import { isObject, parseObject, type JsonObject } from '../../kernel/json-object.ts';
import { isSnapshotId } from '../snapshot/layout.ts';
import { StoreFault, type ObjectStore } from './object-store.ts';

/**
 * The objects of a store of snapshots.
 *
 * ```
 * current                             the pointer: the snapshot to serve, those that are stored, who writes
 * snapshots/ID/manifest-SHA256.json   the manifest of a snapshot, as in its folder
 * objects/AB/SHA256.zst               a file of snapshots, compressed by zstd, named by the hash of its plain bytes
 * parquet/AXIS/SHA256.parquet         the Parquet file of an axis, as it is, so that it can be queried in place
 * datapackage.json                    the Parquet files of the current snapshot with their fields
 * ```
 *
 * The pointer alone is written with a condition. Its list of snapshots makes listings of the store unnecessary.
 */
export interface Pointer {
  /** The snapshot to serve; null until the first one is complete. */
  readonly id: string | null;
  /** In the order in which they were pushed. */
  readonly snapshots: readonly PushedSnapshot[];
  /** Manifests whose files may be removed unless a snapshot of the list has them too. */
  readonly dropped: readonly DroppedManifest[];
  /** The machine that writes; null if none does. */
  readonly lease: WriteLease | null;
}

export interface PushedSnapshot {
  readonly id: string;
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  /** ISO 8601 date-time. */
  readonly pushedAt: string;
}

interface DroppedManifest {
  readonly id: string;
  readonly manifest: string;
  /** ISO 8601 date-time. */
  readonly droppedAt: string;
}

interface WriteLease {
  /** Random id of a data folder. */
  readonly writer: string;
  /** ISO 8601 date-time; a later one of the writer renews it. */
  readonly until: string;
  /** The snapshot that is being pushed, whose objects may be in the store already; null while it is cleaned. */
  readonly pushed: Pick<PushedSnapshot, 'id' | 'manifest'> | null;
}

export const emptyPointer: Pointer = { id: null, snapshots: [], dropped: [], lease: null };

/** Format of the pointer and of the keys of objects. */
const storeFormat = 1;
const pointerKey = 'current';
const pointerBytesMax = 4_000_000;

/** The pointer with its tag, by which it is replaced. */
export interface TaggedPointer {
  readonly pointer: Pointer;
  readonly tag: string;
}

/**
 * Reads the pointer of a store; null if there is none. An unreadable one is read again: a folder on a network, and some
 * servers with the API of S3, show a part of an object while it is replaced.
 */
export async function readPointer(
  store: ObjectStore,
  options: { readonly knownTag?: string | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<TaggedPointer | 'unchanged' | null> {
  for (let tries = 1; ; tries++) {
    const stored = await store.read(pointerKey, { ...options, bytesMax: pointerBytesMax });
    if (stored === null || stored === 'unchanged') return stored;
    try {
      return { pointer: parsePointer(stored.bytes.toString(), store.name), tag: stored.tag };
    } catch (error) {
      const isUnreadable = error instanceof StoreFault && error.code === 'unreadable';
      if (!isUnreadable || tries === readsMax) throw error;
    }
    await wait(rereadAfterMs, undefined, { signal: options.signal });
  }
}

const readsMax = 3;
const rereadAfterMs = 200;

/** Replaces the pointer that has this tag; null if another machine has changed it. */
export async function replacePointer(
  store: ObjectStore,
  pointer: Pointer,
  tag: string | null,
  signal?: AbortSignal,
): Promise<TaggedPointer | null> {
  const text = `${JSON.stringify({ format: storeFormat, ...pointer }, null, 1)}\n`;
  const newTag = await store.replace(pointerKey, Buffer.from(text), tag, signal);
  return newTag === null ? null : { pointer, tag: newTag };
}

function parsePointer(text: string, name: string): Pointer {
  const value = parseObject(text);
  const format = value?.['format'];
  if (typeof format === 'number' && format > storeFormat) {
    throw new StoreFault(
      'newer_format',
      `${name} has format ${format}; this version reads ${storeFormat}. Install the version that pushes to it.`,
    );
  }
  const { id = null, snapshots, dropped, lease } = value ?? {};
  if (
    format === storeFormat &&
    (id === null || isId(id)) &&
    isListOf<PushedSnapshot>(snapshots, isPushed) &&
    isListOf<DroppedManifest>(dropped, isDropped) &&
    (lease === null || isLease(lease))
  ) {
    return { id, snapshots, dropped, lease };
  }
  throw new StoreFault(
    'unreadable',
    `${name}: ${pointerKey} is no pointer to a snapshot. Check the address; a push to an empty prefix creates one.`,
  );
}

function isPushed(value: JsonObject): boolean {
  return isId(value['id']) && isSha256(value['manifest']) && isTime(value['pushedAt']);
}

function isDropped(value: JsonObject): boolean {
  return isId(value['id']) && isSha256(value['manifest']) && isTime(value['droppedAt']);
}

function isLease(value: unknown): value is WriteLease {
  if (!isObject(value) || typeof value['writer'] !== 'string' || !isTime(value['until']))
    return false;
  const { pushed } = value;
  return (
    pushed === null || (isObject(pushed) && isId(pushed['id']) && isSha256(pushed['manifest']))
  );
}

/** `isItem` checks every property of an item. */
function isListOf<Item>(value: unknown, isItem: (item: JsonObject) => boolean): value is Item[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && isItem(item));
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isSnapshotId(value);
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
