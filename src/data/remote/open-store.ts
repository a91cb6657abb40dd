import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../kernel/settings.ts';
import { FolderStore } from './folder-store.ts';
import { HttpStore } from './http-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { Credentials } from './sign-request.ts';

/** Settings with the address of a store of snapshots and the credentials of its bucket. */
export type StoreSettings = Pick<
  Settings,
  | 'MARU_SNAPSHOTS_URL'
  | 'AWS_ENDPOINT_URL'
  | 'AWS_REGION'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_SESSION_TOKEN'
>;

/** Opens the store of `MARU_SNAPSHOTS_URL`: a bucket, a website or a folder. */
export function openStore(settings: StoreSettings): ObjectStore {
  const { MARU_SNAPSHOTS_URL: name, AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = settings;
  if (name === null) {
    throw new Error(
      'No store is named. Give its address, such as s3://bucket/prefix, or set MARU_SNAPSHOTS_URL.',
    );
  }
  const url = URL.parse(name);
  if (url === null || url.protocol === 'file:') {
    return new FolderStore(url === null ? resolve(name) : fileURLToPath(url));
  }
  if (url.protocol === 's3:') {
    const host = endpoint ?? `https://s3.${region}.amazonaws.com`;
    const base = new URL(`${host}/${url.host}${withSlash(url.pathname)}`);
    return new HttpStore({ name, base, credentials: credentialsOf(settings), isBucket: true });
  }
  return new HttpStore({
    name,
    base: new URL(withSlash(name)),
    credentials: null,
    isBucket: false,
  });
}

/** Null without a key: requests to a public bucket need none. */
function credentialsOf(settings: StoreSettings): Credentials | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (accessKeyId === null || secretAccessKey === null) return null;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: settings.AWS_SESSION_TOKEN,
    region: settings.AWS_REGION,
  };
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
