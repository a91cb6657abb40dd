import { datasetOfFileName } from '../../ingest/files/dataset-name.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { PortalError } from '../client/portal-error.ts';
import type { RunContext } from '../runs/run-context.ts';
import { settlePages } from '../runs/settle-pages.ts';
import {
  readAttachment,
  readDatasetPage,
  readHistory,
  type Attachment,
  type DatasetPage,
  type PastVersion,
} from './dataset-page.ts';
import { nameOfDisposition, safeName } from './file-name.ts';
import type { DownloadOptions, PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { versionKey, type StoredVersion, type VersionStore } from './version-store.ts';

/** Downloads of a dataset's versions into its version store, for a run. */
export interface VersionDownload {
  readonly number: string;
  readonly site: PortalSite;
  readonly store: VersionStore;
  readonly run: RunContext;
}

/**
 * Downloads the newest version of a dataset, unless it is stored, in the portal's three steps: its page names the
 * version, the version leads to an attachment, the attachment is downloaded. Throws `PortalError`.
 */
export async function takeNewest(to: VersionDownload): Promise<StoredVersion> {
  // A run that is resumed has its version already.
  const taken = to.store.versions().find(({ run }) => run === to.run.id);
  if (taken !== undefined) return taken;
  for (let isSecond = false; ; isSecond = true) {
    const page = await fetchDatasetPage(to);
    const attachment = await findAttachment(to, page.detailKey);
    const stored = to.store.find(keyOf(page.detailKey, attachment));
    if (stored !== null) return stored;
    try {
      return await download(to, page.detailKey, attachment, { ...page, run: to.run.id });
    } catch (error) {
      // A file that is replaced between two steps leaves a dead address: all steps are repeated once.
      const isGone = error instanceof PortalError && error.code === 'no_file';
      if (!isGone || isSecond) throw error;
    }
  }
}

/**
 * Reads a version, and downloads it again while it is unreadable or odd, until two copies are equal. A run that was
 * interrupted may have compared its version with another copy already.
 */
export async function settleVersion<Content>(
  to: VersionDownload,
  first: StoredVersion,
  read: (version: StoredVersion) => Promise<Content>,
  isOdd: (version: StoredVersion, content: Content) => boolean,
): Promise<Content> {
  let version = first;
  let result: { readonly content: Content } | { readonly refused: FileRefused } | undefined;
  await settlePages(
    async (_, copy) => {
      if (copy > 0) version = await takeAgain(to, version);
      const compared = { digest: version.sha256, total: null };
      try {
        const content = await read(version);
        result = { content };
        return { ...compared, isOdd: version.looks < 2 && isOdd(version, content) };
      } catch (refused) {
        if (!(refused instanceof FileRefused)) throw refused;
        result = { refused };
        return { ...compared, isOdd: true };
      }
    },
    { isOdd: ([file]) => file!.facts.isOdd, hasNext: () => false },
  );
  if (result === undefined) throw new Error('A version is settled before it was read.');
  if ('refused' in result) throw result.refused;
  return result.content;
}

/** Downloads a stored version again, for a comparison of the bytes. */
function takeAgain(to: VersionDownload, previous: StoredVersion): Promise<StoredVersion> {
  const attachment = { ...previous, id: previous.attachment };
  return download(to, previous.detailKey, attachment, { ...previous, run: to.run.id }, previous);
}

/** Every version that the dataset's history names, newest first. */
export async function fetchHistory(from: VersionDownload): Promise<readonly PastVersion[]> {
  const { number, site, run } = from;
  const { detailKey } = await fetchDatasetPage(from);
  const path = `${host}/tcs/dss/selectHistAndCsvData.do`;
  const parameters = { publicDataPk: number, publicDataDetailPk: detailKey };
  return (await site.fetchPage({ path, parameters }, readHistory, sendingFor(run))).versions;
}

/** Downloads a version of the history, unless it is stored. */
export async function takePast(to: VersionDownload, past: PastVersion): Promise<StoredVersion> {
  const attachment = await findAttachment(to, past.detailKey);
  const stored = to.store.find(keyOf(past.detailKey, attachment));
  const unknown = { provider: null, cycle: null, license: null, run: null };
  return stored ?? (await download(to, past.detailKey, attachment, unknown));
}

const host = 'www.data.go.kr';

function fetchDatasetPage({ number, site, run }: VersionDownload): Promise<DatasetPage> {
  const path = `${host}/data/${number}/fileData.do`;
  return site.fetchPage({ path, parameters: {} }, readDatasetPage, sendingFor(run));
}

function findAttachment(
  { number, site, run }: VersionDownload,
  detailKey: string,
): Promise<Attachment> {
  const parameters = {
    publicDataDetailPk: detailKey,
    publicDataPk: number,
    atchFileId: '',
    fileDetailSn: '1',
    publicDataTyCode: 'PR0051',
  };
  const path = `${host}/tcs/dss/selectFileDataDownload.do`;
  return site.fetchPage({ path, parameters }, readAttachment, sendingFor(run));
}

function sendingFor(run: RunContext): DownloadOptions {
  return {
    signal: run.signal,
    onCall: () => run.count(0),
    onBytes: (bytes) => run.reportBytes(bytes),
  };
}

function keyOf(detailKey: string, { title, id }: Attachment): string {
  return versionKey(dateOf(title), detailKey, id);
}

function dateOf(title: string): string | null {
  return datasetOfFileName(title).referenceDate;
}

async function download(
  to: VersionDownload,
  detailKey: string,
  attachment: Attachment,
  { provider, cycle, license, run }: Pick<StoredVersion, 'provider' | 'cycle' | 'license' | 'run'>,
  previous?: StoredVersion,
): Promise<StoredVersion> {
  const { number, site, store } = to;
  const { id, serial, title, extension, rows } = attachment;
  const key = previous?.key ?? keyOf(detailKey, attachment);
  const path = store.partOf(key);
  const { bytes, sha256, disposition } = await site.download(
    {
      path: `${host}/cmm/cmm/fileDownload.do`,
      parameters: { atchFileId: id, fileDetailSn: serial, insertDataPrcus: 'N' },
    },
    path,
    () => sniffFile(path, extension).fault,
    sendingFor(to.run),
  );
  const looks = previous?.sha256 === sha256 ? previous.looks + 1 : 1;
  const name = nameOfDisposition(disposition) ?? safeName(`${title}.${extension}`);
  return store.put(
    {
      key,
      number,
      title,
      date: dateOf(title),
      detailKey,
      attachment: id,
      serial,
      extension,
      rows,
      provider,
      cycle,
      license,
      origin: to.run.origin,
      takenAt: new Date(to.run.now()).toISOString(),
      run,
      bytes,
      sha256,
      looks,
    },
    name ?? `${number}.${extension}`,
  );
}
