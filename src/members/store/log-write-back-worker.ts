import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Message of the thread: it goes on with the remainder of the log, or has ended. */
export type WriteBackStep = 'remainder' | 'end';

const database = new DatabaseSync(workerData as string, { timeout: 100 });
database.exec('PRAGMA synchronous = FULL');

parentPort!.on('message', () => {
  try {
    const { log, checkpointed } = writeBack('PASSIVE');
    // A reader still needs the rest; writers would wait for it.
    if (checkpointed < log) return;
    post('remainder');
    // The log begins again once all of it is written back, which writers that go on would prevent for ever.
    writeBack('FULL');
  } finally {
    post('end');
  }
});

/** Number of pages of the log, and how many of them are written back. */
function writeBack(mode: 'PASSIVE' | 'FULL') {
  const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  // The columns of the pragma (https://sqlite.org/pragma.html#pragma_wal_checkpoint).
  return row as { readonly log: number; readonly checkpointed: number };
}

function post(step: WriteBackStep): void {
  parentPort!.postMessage(step);
}
