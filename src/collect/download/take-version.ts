import type { Origin } from '../../data/axis.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import {
  readAttachment,
  readDatasetPage,
  readHistory,
  type Attachment,
  type DatasetPage,
  type PastVersion,
} from './dataset-page.ts';
import { nameOfDisposition, safeName } from './file-name.ts';
import type { PortalSite } from './portal-site.ts';
import { sniffFile } from './sniff.ts';
import { versionKey, type StoredVersion, type VersionShelf } from './version-shelf.ts';

export interface Asking {
  readonly number: string;
  readonly site: PortalSite;
  readonly signal: AbortSignal | undefined;
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
  const { page, attachment } = await findNewest(taking);
  const known = taking.shelf.find(keyOf(page.detailKey, attachment));
  return known ?? (await download(taking, page.detailKey, attachment, page));
}

/** Where the newest file of a dataset lies: the first two of the three steps. */
export async function findNewest({ number, site, signal }: Asking) {
  const page = await site.ask(pageOf(number), readDatasetPage, signal);
  return { page, attachment: await resolve({ number, site, signal }, page.detailKey) };
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
export async function askHistory({
  number,
  site,
  signal,
}: Asking): Promise<readonly PastVersion[]> {
  const page = await site.ask(pageOf(number), readDatasetPage, signal);
  const asked = new URLSearchParams({ publicDataPk: number, publicDataDetailPk: page.detailKey });
  const target = `${host}/tcs/dss/selectHistAndCsvData.do?${asked.toString()}`;
  return (await site.ask(target, readHistory, signal)).versions;
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

function resolve({ number, site, signal }: Asking, detailKey: string): Promise<Attachment> {
  const asked = new URLSearchParams({
    publicDataDetailPk: detailKey,
    publicDataPk: number,
    atchFileId: '',
    fileDetailSn: '1',
    publicDataTyCode: 'PR0051',
  });
  const target = `${host}/tcs/dss/selectFileDataDownload.do?${asked.toString()}`;
  return site.ask(target, readAttachment, signal);
}

function keyOf(detailKey: string, { title, id }: Attachment): string {
  return versionKey(dateOf(title), detailKey, id);
}

function dateOf(title: string): string | null {
  return datasetOfFileName(title).referenceDate;
}

async function download(
  { number, site, shelf, origin, run, now, signal }: Taking,
  detailKey: string,
  attachment: Attachment,
  { provider, cycle, license }: Pick<DatasetPage, 'provider' | 'cycle' | 'license'>,
  before?: StoredVersion,
): Promise<StoredVersion> {
  const { id, serial, title, extension, rows } = attachment;
  const key = before?.key ?? keyOf(detailKey, attachment);
  const path = shelf.partOf(key);
  const judge = () => sniffFile(path, extension).fault;
  const { bytes, sha256, disposition } = await site.download(
    addressOf(attachment),
    path,
    judge,
    signal,
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
