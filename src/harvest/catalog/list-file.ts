import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../data/snapshot/durable.ts';
import type { RunContext } from '../runs/run-context.ts';
import { settleFile } from '../runs/settle-file.ts';
import type { PortalSite } from '../datasets/portal-site.ts';
import { sniffFile } from '../datasets/sniff.ts';
import { downloadOf, withNewest } from '../datasets/take-version.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import { readCatalog, type CatalogFinding, type CatalogReport } from '../../ingest/catalog/read.ts';

/**
 * Collects the monthly list file 15062804 (목록개방현황), by the three steps of any file. 15121937 and 15156444
 * are not fetched: what they add (request variables, columns, items of standards) is no part of a catalog
 * entry. Returns the file's name, which carries the list's date.
 */
export async function collectList(
  run: RunContext,
  site: PortalSite | null,
  entries: EntryTable,
  report: CatalogReport,
  isOdd: () => boolean,
): Promise<string> {
  const stored = existsSync(run.folder)
    ? readdirSync(run.folder).find((name) => name.startsWith(prefix))
    : undefined;
  if (stored !== undefined) {
    run.count(0);
    await readCatalog(join(run.folder, stored), entries, report);
    return stored;
  }
  if (site === null) throw new Error('No list file is stored: collect again without --reparse.');
  const { path, name, findings } = await settleFile(async () => {
    const file = await download(run.folder, site, run.signal);
    run.count(0);
    return {
      sha256: file.sha256,
      async read() {
        const found: CatalogFinding[] = [];
        entries.clear();
        await readCatalog(file.path, entries, (finding) => void found.push(finding));
        return { ...file, findings: found };
      },
      isOdd: () => file.isCutOff || isOdd(),
    };
  });
  renameSync(path, join(run.folder, `${prefix}${name}`));
  syncFolder(run.folder);
  for (const finding of findings) report(finding);
  return name;
}

/** Prefix of a list file that was read and believed. */
const prefix = 'list_';

/** Downloads the file, durably. */
function download(folder: string, site: PortalSite, signal: AbortSignal | undefined) {
  return withNewest({ number: '15062804', site, signal }, async (_, attachment) => {
    const { title, extension } = attachment;
    const name = `${title.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60)}.${extension}`;
    const path = join(folder, `unread_${name}`);
    const judge = () => sniffFile(path, extension).fault;
    const { sha256 } = await site.download(downloadOf(attachment), path, judge, { signal });
    return { path, name, sha256, isCutOff: sniffFile(path, extension).isOdd };
  });
}
