import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis } from '../axis.ts';
import { ByteSink } from '../byte-sink.ts';
import { fileNames, type FileFacts } from './layout.ts';

/** Writes a small JSON file durably. */
export function writeJson(path: string, value: unknown): FileFacts {
  using sink = new ByteSink(path);
  sink.writeText(`${JSON.stringify(value, null, 1)}\n`);
  return sink.close();
}

/** Replaces the `axis.json` of an axis. */
export function rewriteAxis(folder: string, stored: StoredAxis): FileFacts {
  const path = join(folder, fileNames.axis);
  rmSync(path, { force: true });
  return writeJson(path, stored);
}
