import { parentPort, workerData } from 'node:worker_threads';
import { readManifest, snapshotFolder } from './snapshots.ts';
import { DamagedSnapshot, verifyFolder } from './verify.ts';

// The thread of `verifyInThread`: checks one snapshot and reports its damage.
const { data, id } = workerData as { readonly data: string; readonly id: string };
parentPort!.postMessage(damageOf(data, id));

function damageOf(folder: string, snapshot: string): string | null {
  try {
    const manifest = readManifest(folder, snapshot);
    verifyFolder(snapshotFolder(folder, snapshot), manifest, { hashes: false });
    return null;
  } catch (error) {
    if (error instanceof DamagedSnapshot) return error.message;
    throw error;
  }
}
