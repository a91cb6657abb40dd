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
import type { PortalSite, Watch } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { versionKey, type StoredVersion, type VersionShelf } from './version-shelf.ts';

export interface Asking extends Watch {
  readonly number: string;
  readonly site: PortalSite;
}

/** Where a version comes from and where it goes. */
export interface Taking extends Asking {
  readonly shelf: VersionShelf;
  readonly origin: Origin;
  /** The run that takes it; null for the history. */
  readonly run: number | null;
  readonly now: () => number;
}

/**
 * The newest version of a dataset in the portal's three steps: its page names the version, the version is
 * resolved to an attachment, the attachment is downloaded, unless it lies on the shelf. Throws `PortalError`.
 */
export async function takeNewest(taking: Taking): Promise<StoredVersion> {
  for (let isSecond = false; ; isSecond = true) {
    const { page, attachment } = await findNewest(taking);
    const known = taking.shelf.find(keyOf(page.detailKey, attachment));
    if (known !== null) return known;
    try {
      return await download(taking, page.detailKey, attachment, page);
    } catch (error) {
      // A file that is replaced between two steps leaves a dead address: the way is taken once more.
      const isGone = error instanceof PortalError && error.code === 'no_file';
      if (!isGone || isSecond) throw error;
    }
  }
}

/** Where the newest file of a dataset lies: the first two of the three steps. */
export async function findNewest(asking: Asking) {
  const page = await askPage(asking);
  return { page, attachment: await resolve(asking, page.detailKey) };
}

/** Host, path and query of an attachment. */
export function addressOf({ id, serial }: Pick<Attachment, 'id' | 'serial'>): string {
  const wanted = new URLSearchParams({
    atchFileId: id,
    fileDetailSn: serial,
    insertDataPrcus: 'N',
  });
  return `${host}/cmm/cmm/fileDownload.do?${wanted.toString()}`;
}

/** The same version once more, to see whether the same bytes come. */
export async function takeAgain(taking: Taking, before: StoredVersion): Promise<StoredVersion> {
  const attachment = { ...before, id: before.attachment, serial: before.serial };
  return download(taking, before.detailKey, attachment, before, before);
}

/** Every version that the dataset's history names, newest first. */
export async function askHistory(asking: Asking): Promise<readonly PastVersion[]> {
  const { number, site } = asking;
  const { detailKey } = await askPage(asking);
  const asked = new URLSearchParams({ publicDataPk: number, publicDataDetailPk: detailKey });
  const target = `${host}/tcs/dss/selectHistAndCsvData.do?${asked.toString()}`;
  return (await site.ask(target, readHistory, asking)).versions;
}

/** A version out of the history, unless it lies on the shelf. */
export async function takePast(taking: Taking, past: PastVersion): Promise<StoredVersion> {
  const attachment = await resolve(taking, past.detailKey);
  const known = taking.shelf.find(keyOf(past.detailKey, attachment));
  const unknown = { provider: null, cycle: null, license: null };
  return known ?? (await download(taking, past.detailKey, attachment, unknown));
}

const host = 'www.data.go.kr';

function pageOf(number: string): string {
  return `${host}/data/${number}/fileData.do`;
}

function askPage(asking: Asking): Promise<DatasetPage> {
  return asking.site.ask(pageOf(asking.number), readDatasetPage, asking);
}

function resolve(asking: Asking, detailKey: string): Promise<Attachment> {
  const { number, site } = asking;
  const asked = new URLSearchParams({
    publicDataDetailPk: detailKey,
    publicDataPk: number,
    atchFileId: '',
    fileDetailSn: '1',
    publicDataTyCode: 'PR0051',
  });
  const target = `${host}/tcs/dss/selectFileDataDownload.do?${asked.toString()}`;
  return site.ask(target, readAttachment, asking);
}

function keyOf(detailKey: string, { title, id }: Attachment): string {
  return versionKey(dateOf(title), detailKey, id);
}

function dateOf(title: string): string | null {
  return datasetOfFileName(title).referenceDate;
}

async function download(
  taking: Taking,
  detailKey: string,
  attachment: Attachment,
  { provider, cycle, license }: Pick<DatasetPage, 'provider' | 'cycle' | 'license'>,
  before?: StoredVersion,
): Promise<StoredVersion> {
  const { number, site, shelf, origin, run, now } = taking;
  const { id, serial, title, extension, rows } = attachment;
  const key = before?.key ?? keyOf(detailKey, attachment);
  const path = shelf.partOf(key);
  const judge = () => sniffFile(path, extension).fault;
  const { bytes, sha256, disposition } = await site.download(
    addressOf(attachment),
    path,
    judge,
    taking,
  );
  const looks = before?.sha256 === sha256 ? before.looks + 1 : 1;
  const name = nameOfDisposition(disposition) ?? safeName(`${title}.${extension}`);
  return shelf.put(
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
