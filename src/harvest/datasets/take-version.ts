import type { Origin } from '../../data/axis.ts';
import { datasetOfFileName } from '../../ingest/files/dataset-name.ts';
import { PortalError } from '../client/portal-error.ts';
import {
  readAttachment,
  readDatasetPage,
  readHistory,
  type Attachment,
  type DatasetPage,
  type PastVersion,
} from './dataset-page.ts';
import { nameOfDisposition, safeName } from './file-name.ts';
import type { DownloadOptions, PortalSite, SiteRequest } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { versionKey, type StoredVersion, type VersionStore } from './version-store.ts';

/** Dataset on the portal's site. */
interface DatasetFile extends DownloadOptions {
  readonly number: string;
  readonly site: PortalSite;
}

/** Downloads of a dataset's versions into its version store. */
export interface VersionDownload extends DatasetFile {
  readonly store: VersionStore;
  readonly origin: Origin;
  /** The run that downloads; null for earlier versions. */
  readonly run: number | null;
  readonly now: () => number;
}

/** Downloads the newest version of a dataset, unless it is stored. Throws `PortalError`. */
export async function takeNewest(to: VersionDownload): Promise<StoredVersion> {
  return withNewest(to, async (page, attachment) => {
    const stored = to.store.find(keyOf(page.detailKey, attachment));
    return stored ?? (await download(to, page.detailKey, attachment, page));
  });
}

/**
 * Finds the newest file of a dataset and downloads it, in the portal's three steps: its page names the
 * version, the version leads to an attachment, the attachment is downloaded.
 */
export async function withNewest<Result>(
  dataset: DatasetFile,
  downloadFile: (page: DatasetPage, attachment: Attachment) => Promise<Result>,
): Promise<Result> {
  for (let isSecond = false; ; isSecond = true) {
    const page = await fetchDatasetPage(dataset);
    const attachment = await findAttachment(dataset, page.detailKey);
    try {
      return await downloadFile(page, attachment);
    } catch (error) {
      // A file that is replaced between two steps leaves a dead address: all steps are repeated once.
      const isGone = error instanceof PortalError && error.code === 'no_file';
      if (!isGone || isSecond) throw error;
    }
  }
}

/** Request that downloads an attachment. */
export function downloadOf({ id, serial }: Pick<Attachment, 'id' | 'serial'>): SiteRequest {
  return {
    path: `${host}/cmm/cmm/fileDownload.do`,
    parameters: { atchFileId: id, fileDetailSn: serial, insertDataPrcus: 'N' },
  };
}

/** Downloads a stored version again, for a comparison of the bytes. */
export async function takeAgain(
  to: VersionDownload,
  previous: StoredVersion,
): Promise<StoredVersion> {
  const attachment = { ...previous, id: previous.attachment, serial: previous.serial };
  return download(to, previous.detailKey, attachment, previous, previous);
}

/** Every version that the dataset's history names, newest first. */
export async function fetchHistory(dataset: DatasetFile): Promise<readonly PastVersion[]> {
  const { number, site } = dataset;
  const { detailKey } = await fetchDatasetPage(dataset);
  const path = `${host}/tcs/dss/selectHistAndCsvData.do`;
  const parameters = { publicDataPk: number, publicDataDetailPk: detailKey };
  return (await site.fetchPage({ path, parameters }, readHistory, dataset)).versions;
}

/** Downloads a version of the history, unless it is stored. */
export async function takePast(to: VersionDownload, past: PastVersion): Promise<StoredVersion> {
  const attachment = await findAttachment(to, past.detailKey);
  const stored = to.store.find(keyOf(past.detailKey, attachment));
  const unknown = { provider: null, cycle: null, license: null };
  return stored ?? (await download(to, past.detailKey, attachment, unknown));
}

const host = 'www.data.go.kr';

function fetchDatasetPage(dataset: DatasetFile): Promise<DatasetPage> {
  const path = `${host}/data/${dataset.number}/fileData.do`;
  return dataset.site.fetchPage({ path, parameters: {} }, readDatasetPage, dataset);
}

function findAttachment(dataset: DatasetFile, detailKey: string): Promise<Attachment> {
  const parameters = {
    publicDataDetailPk: detailKey,
    publicDataPk: dataset.number,
    atchFileId: '',
    fileDetailSn: '1',
    publicDataTyCode: 'PR0051',
  };
  const path = `${host}/tcs/dss/selectFileDataDownload.do`;
  return dataset.site.fetchPage({ path, parameters }, readAttachment, dataset);
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
  { provider, cycle, license }: Pick<DatasetPage, 'provider' | 'cycle' | 'license'>,
  previous?: StoredVersion,
): Promise<StoredVersion> {
  const { number, site, store, origin, run, now } = to;
  const { id, serial, title, extension, rows } = attachment;
  const key = previous?.key ?? keyOf(detailKey, attachment);
  const path = store.partOf(key);
  const judge = () => sniffFile(path, extension).fault;
  const { bytes, sha256, disposition } = await site.download(
    downloadOf(attachment),
    path,
    judge,
    to,
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
      origin,
      takenAt: new Date(now()).toISOString(),
      run,
      bytes,
      sha256,
      looks,
    },
    name ?? `${number}.${extension}`,
  );
}
