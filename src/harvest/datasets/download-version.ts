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

/** Context of a download: the dataset by its number, its version store and the run. */
export interface DownloadContext {
  readonly number: string;
  readonly site: PortalSite;
  readonly store: VersionStore;
  readonly run: RunContext;
}

/**
 * Downloads the newest version of a dataset, unless it is stored. The portal has three steps: the page names the
 * version, the version has an attachment, the attachment is the file. Throws `PortalError`.
 */
export async function downloadNewest(context: DownloadContext): Promise<StoredVersion> {
  // A resumed run may have downloaded its version already.
  const resumed = context.store.versions().find(({ run }) => run === context.run.id);
  if (resumed !== undefined) return resumed;
  for (let isSecond = false; ; isSecond = true) {
    const page = await fetchDatasetPage(context);
    const attachment = await findAttachment(context, page.detailKey);
    const stored = context.store.find(keyOf(page.detailKey, attachment));
    if (stored !== null) return stored;
    try {
      return await saveAttachment(context, attachment, { ...page, run: context.run.id });
    } catch (error) {
      // A file that is replaced between two steps leaves a dead address, so all steps are repeated once.
      const isGone = error instanceof PortalError && error.code === 'no_file';
      if (!isGone || isSecond) throw error;
    }
  }
}

/**
 * Reads a version, and downloads it again while it is unreadable or odd, until two copies are equal. Equal copies from
 * before an interruption count, too (`looks`).
 */
export async function settleVersion<Content>(
  context: DownloadContext,
  first: StoredVersion,
  read: (version: StoredVersion) => Promise<Content>,
  isOdd: (version: StoredVersion, content: Content) => boolean,
): Promise<Content> {
  let version = first;
  let result: { readonly content: Content } | { readonly refusal: FileRefused } | undefined;
  await settlePages(
    async (_, copy) => {
      if (copy > 0) version = await downloadAgain(context, version);
      const compared = { digest: version.sha256, total: null };
      try {
        const content = await read(version);
        result = { content };
        return { ...compared, isOdd: version.looks < 2 && isOdd(version, content) };
      } catch (refusal) {
        if (!(refusal instanceof FileRefused)) throw refusal;
        result = { refusal };
        return { ...compared, isOdd: true };
      }
    },
    { isOdd: ([file]) => file!.facts.isOdd, hasNext: () => false },
  );
  if (result === undefined) throw new Error('A version was settled before it was read.');
  if ('refusal' in result) throw result.refusal;
  return result.content;
}

/** Downloads a stored version again, for a comparison of the bytes. */
function downloadAgain(context: DownloadContext, previous: StoredVersion): Promise<StoredVersion> {
  const attachment = { ...previous, id: previous.attachment };
  return saveAttachment(context, attachment, { ...previous, run: context.run.id }, previous);
}

/** Fetches the list of all versions of the dataset, newest first. */
export async function fetchHistory(context: DownloadContext): Promise<readonly PastVersion[]> {
  const { number, site, run } = context;
  const { detailKey } = await fetchDatasetPage(context);
  const path = `${host}/tcs/dss/selectHistAndCsvData.do`;
  const parameters = { publicDataPk: number, publicDataDetailPk: detailKey };
  return (await site.fetchPage({ path, parameters }, readHistory, downloadOptions(run))).versions;
}

/** Downloads a version of the history, unless it is stored. */
export async function downloadPast(
  context: DownloadContext,
  { detailKey }: PastVersion,
): Promise<StoredVersion> {
  const attachment = await findAttachment(context, detailKey);
  const stored = context.store.find(keyOf(detailKey, attachment));
  const about = { detailKey, provider: null, cycle: null, license: null, run: null };
  return stored ?? (await saveAttachment(context, attachment, about));
}

const host = 'www.data.go.kr';

function fetchDatasetPage({ number, site, run }: DownloadContext): Promise<DatasetPage> {
  const path = `${host}/data/${number}/fileData.do`;
  return site.fetchPage({ path, parameters: {} }, readDatasetPage, downloadOptions(run));
}

function findAttachment(
  { number, site, run }: DownloadContext,
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
  return site.fetchPage({ path, parameters }, readAttachment, downloadOptions(run));
}

function downloadOptions(run: RunContext): DownloadOptions {
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

async function saveAttachment(
  context: DownloadContext,
  attachment: Attachment,
  about: DatasetPage & Pick<StoredVersion, 'run'>,
  previous?: StoredVersion,
): Promise<StoredVersion> {
  const { number, site, store } = context;
  const { id, serial, title, extension, rows } = attachment;
  const { detailKey, provider, cycle, license, run } = about;
  const key = previous?.key ?? keyOf(detailKey, attachment);
  const path = store.partialPath(key);
  const { bytes, sha256, disposition } = await site.download(
    {
      path: `${host}/cmm/cmm/fileDownload.do`,
      parameters: { atchFileId: id, fileDetailSn: serial, insertDataPrcus: 'N' },
    },
    path,
    () => sniffFile(path, extension).fault,
    downloadOptions(context.run),
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
      origin: context.run.origin,
      takenAt: new Date(context.run.now()).toISOString(),
      run,
      bytes,
      sha256,
      looks,
    },
    name ?? `${number}.${extension}`,
  );
}
