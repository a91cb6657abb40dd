import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import type { Finding } from '../../data/finding.ts';
import {
  readCatalog,
  type CatalogFindingKind,
  type CatalogReport,
} from '../../ingest/catalog/read.ts';
import type { PortalSite } from '../datasets/portal-site.ts';
import { sniffFile } from '../datasets/sniff.ts';
import {
  settleVersion,
  downloadNewest,
  type DownloadContext,
} from '../datasets/download-version.ts';
import { VersionStore, type StoredVersion } from '../datasets/version-store.ts';
import type { RunContext } from '../runs/run-context.ts';

/**
 * Collects the monthly list file 15062804 (목록개방현황) as the file of a dataset, stored with its run. 15121937 and
 * 15156444 are not fetched: they add request variables, columns and items of standards, which no catalog entry
 * has. Returns the file's title, which has the list's date.
 */
export async function collectList(
  run: RunContext,
  site: PortalSite | null,
  entries: EntryTable,
  report: CatalogReport,
  hasOddEntries: () => boolean,
): Promise<string> {
  const store = new VersionStore(run.folder, listNumber);
  async function read(version: StoredVersion) {
    const findings: Finding<CatalogFindingKind>[] = [];
    entries.clear();
    await readCatalog(store.pathOf(version), entries, (finding) => void findings.push(finding));
    return { title: version.title, findings };
  }
  const { title, findings } =
    site === null ? await read(newestStored(store)) : await downloadList(site);
  for (const finding of findings) report(finding);
  return title;

  async function downloadList(from: PortalSite) {
    const context: DownloadContext = { number: listNumber, site: from, store, run };
    const newest = await downloadNewest(context);
    return await settleVersion(context, newest, read, (version) => {
      return hasOddEntries() || sniffFile(store.pathOf(version), version.extension).isOdd;
    });
  }
}

function newestStored(store: VersionStore): StoredVersion {
  const [stored] = store.versions();
  if (stored === undefined) {
    throw new Error('No list file is stored: collect again without --reparse.');
  }
  return stored;
}

const listNumber = '15062804';
