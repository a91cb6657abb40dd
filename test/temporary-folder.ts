import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for a test, gone at the end of its scope. */
export function temporaryFolder(base = tmpdir()): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(base, 'maru-test-'));
  return {
    path,
    [Symbol.dispose]() {
      // A server that is ending may still write.
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
