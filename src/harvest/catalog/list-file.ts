import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import type { Finding } from '../../data/finding.ts';
import {
  readCatalog,
  type CatalogFindingKind,
  type CatalogReport,
} from '../../ingest/catalog/read.ts';
import type { PortalSite } from '../datasets/portal-site.ts';
import { sniffFile } from '../datasets/sniff.ts';
import { settleVersion, takeNewest, type VersionDownload } from '../datasets/take-version.ts';
import { VersionStore, type StoredVersion } from '../datasets/version-store.ts';
import type { RunContext } from '../runs/run-context.ts';

/**
 * Collects the monthly list file 15062804 (목록개방현황) as the file of a dataset, stored with its run. 15121937 and
 * 15156444 are not fetched: what they add (request variables, columns, items of standards) is no part of a
 * catalog entry. Returns the file's title, which carries the list's date.
 */
export async function collectList(
  run: RunContext,
  site: PortalSite | null,
  entries: EntryTable,
  report: CatalogReport,
  isOdd: () => boolean,
): Promise<string> {
  const store = new VersionStore(run.folder, number);
  async function read(version: StoredVersion) {
    const findings: Finding<CatalogFindingKind>[] = [];
    entries.clear();
    await readCatalog(store.pathOf(version), entries, (finding) => void findings.push(finding));
    return { title: version.title, findings };
  }
  const { title, findings } =
    site === null ? await read(storedIn(store)) : await download({ number, site, store, run });
  for (const finding of findings) report(finding);
  return title;

  async function download(from: VersionDownload) {
    const newest = await takeNewest(from);
    return await settleVersion(from, newest, read, (version) => {
      return isOdd() || sniffFile(store.pathOf(version), version.extension).isOdd;
    });
  }
}

function storedIn(store: VersionStore): StoredVersion {
  const [stored] = store.versions();
  if (stored === undefined) {
    throw new Error('No list file is stored: collect again without --reparse.');
  }
  return stored;
}

const number = '15062804';
