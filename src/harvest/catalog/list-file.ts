import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../data/snapshot/durable.ts';
import type { OpenRun } from '../runs/door-run.ts';
import type { PortalSite } from '../datasets/portal-site.ts';
import { sniffFile } from '../datasets/sniff.ts';
import { downloadOf, withNewest } from '../datasets/take-version.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { catalogLimits } from './limits.ts';
import { readCatalog, type CatalogReport } from '../../ingest/catalog/read.ts';

/**
 * The monthly list file 15062804 (목록개방현황), by the three steps of any file. 15121937 and 15156444 are not
 * fetched: what they add (request variables, columns, items of standards) is no part of a catalog entry.
 * A file that is cut off, empty or `isOdd` is fetched again and believed once it comes the same twice.
 * Returns the file's name, which carries the list's date.
 */
export async function collectList(
  open: OpenRun,
  site: PortalSite | null,
  entries: EntryTable,
  report: CatalogReport,
  isOdd: () => boolean,
  signal?: AbortSignal,
): Promise<string> {
  const stored = existsSync(open.folder)
    ? readdirSync(open.folder).find((name) => name.startsWith(prefix))
    : undefined;
  if (stored !== undefined) {
    open.count(0);
    await readCatalog(join(open.folder, stored), entries, report);
    return stored;
  }
  if (site === null) throw new Error('No list file is stored: collect again without --reparse.');
  const seen = new Set<string>();
  for (let look = 1; ; look++) {
    const { path, name, digest, isWhole } = await download(open.folder, site, signal);
    open.count(0);
    const isBelieved = seen.has(digest) || look >= catalogLimits.looksMax;
    seen.add(digest);
    const found: Parameters<CatalogReport>[0][] = [];
    entries.clear();
    try {
      await readCatalog(path, entries, (finding) => void found.push(finding));
    } catch (error) {
      if (error instanceof FileRefused && !isBelieved) continue;
      throw error;
    }
    if ((!isWhole || isOdd()) && !isBelieved) continue;
    renameSync(path, join(open.folder, `${prefix}${name}`));
    syncFolder(open.folder);
    for (const finding of found) report(finding);
    return name;
  }
}

/** What a list file that was read and believed is called, in front. */
const prefix = 'list_';

/** Downloads the file, durably, and checks that its end is complete. */
async function download(folder: string, site: PortalSite, signal: AbortSignal | undefined) {
  return withNewest({ number: '15062804', site, signal }, async (_, attachment) => {
    const { title, extension } = attachment;
    const name = `${title.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60)}.${extension}`;
    const path = join(folder, `unread_${name}`);
    const judge = () => sniffFile(path, extension).fault;
    const { sha256 } = await site.download(downloadOf(attachment), path, judge, { signal });
    return { path, name, digest: sha256, isWhole: !sniffFile(path, extension).isOdd };
  });
}
