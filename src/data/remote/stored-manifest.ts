import { isObject, parseObject } from '../../kernel/json-object.ts';
import {
  axisOfParquet,
  fileNames,
  readableFormats,
  type FileFacts,
  type Manifest,
} from '../snapshot/layout.ts';
import { StoreFault, type ObjectStore } from './object-store.ts';
import { isSha256, type PushedSnapshot } from './pointer.ts';
import { sha256 } from './sign-request.ts';

/** A manifest with its bytes, whose hash the pointer names. */
export interface StoredManifest {
  readonly manifest: Manifest;
  readonly bytes: Buffer;
}

/** Reads and checks the manifest of a snapshot in a store. */
export async function readStoredManifest(
  store: ObjectStore,
  snapshot: Pick<PushedSnapshot, 'id' | 'manifest'>,
  signal?: AbortSignal,
): Promise<StoredManifest> {
  const key = manifestKey(snapshot);
  const stored = await store.read(key, { bytesMax: manifestBytesMax, signal });
  if (stored === null || stored === 'unchanged') {
    throw new StoreFault(
      'missing_object',
      `${store.name} points to snapshot ${snapshot.id}, but ${key} is not there. Push the snapshot again.`,
    );
  }
  if (sha256(stored.bytes) !== snapshot.manifest) throw wrongBytes(store, key);
  const manifest = parseObject(stored.bytes.toString());
  const format = manifest?.['formatVersion'];
  if (typeof format === 'number' && format > Math.max(...readableFormats)) {
    throw new StoreFault(
      'newer_format',
      `Snapshot ${snapshot.id} of ${store.name} has format ${format}; this version reads ${readableFormats.join(' and ')}. Install the version that built it.`,
    );
  }
  const isReadable = typeof format === 'number' && readableFormats.includes(format);
  if (!isReadable || manifest?.['id'] !== snapshot.id || !isFiles(manifest['files'])) {
    throw new StoreFault(
      'unreadable',
      `${store.name}: ${key} is no manifest of a snapshot with format ${readableFormats.join(' or ')}. Push a snapshot of this version.`,
    );
  }
  // The facts that a folder depends on are checked; the others were written by the builder.
  return { manifest: manifest as unknown as Manifest, bytes: stored.bytes };
}

export function manifestKey({ id, manifest }: Pick<PushedSnapshot, 'id' | 'manifest'>): string {
  return `snapshots/${id}/manifest-${manifest}.json`;
}

/** Key of a file of a snapshot. A Parquet file is stored as it is, all others are compressed. */
export function objectKey(path: string, { sha256: hash }: FileFacts): string {
  const axis = axisOfParquet(path);
  return axis === null
    ? `objects/${hash.slice(0, 2)}/${hash}.zst`
    : `parquet/${axis}/${hash}.parquet`;
}

/** True for files that are stored without compression. */
export function isPlain(path: string): boolean {
  return axisOfParquet(path) !== null;
}

export function wrongBytes({ name }: ObjectStore, key: string): StoreFault {
  return new StoreFault(
    'wrong_bytes',
    `${name}: ${key} has other bytes than its hash. Repair it with ./maru snapshot push --again.`,
  );
}

const manifestBytesMax = 256_000_000;

/** True for paths that stay within the folder, each with a size and a hash. */
function isFiles(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([path, facts]) =>
      pathPattern.test(path) &&
      path.length <= 300 &&
      path !== fileNames.manifest &&
      isObject(facts) &&
      Number.isSafeInteger(facts['bytes']) &&
      (facts['bytes'] as number) >= 0 &&
      isSha256(facts['sha256']),
  );
}

const pathPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,5}$/;
