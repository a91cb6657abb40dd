import { backoffMs } from '../portal/backoff.ts';
import { systemClock, type Clock } from '../portal/clock.ts';
import type { Fault } from '../portal/fault.ts';
import { portalLimits } from '../portal/limits.ts';
import { getThrough } from '../portal/transport.ts';

export interface DownloadOptions {
  /** `http://host:port` that stands for every host of the portal; null for the portal itself. */
  readonly gateway: string | null;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** The newest file of a dataset. */
export interface DownloadedFile {
  readonly number: string;
  /** With the reference date at its end: `전국…_20260831`. */
  readonly title: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

/**
 * Downloads the newest file of a FILE dataset in the portal's three steps: its page names the version, the
 * version is resolved to an attachment, the attachment is fetched. An attachment's number changes with
 * every replacement, so nothing of it is kept. No key is needed. Throws with a sentence for a person.
 */
export async function downloadFile(
  number: string,
  options: DownloadOptions,
): Promise<DownloadedFile> {
  const page = `${portal}/data/${number}/fileData.do`;
  const html = textOf(await get(page, options));
  const version = versionIn(html);
  if (version === null) {
    throw new Error(
      `https://${page} offers no file: the agency gives it out itself, or there is no such dataset.`,
    );
  }
  const asked = new URLSearchParams({
    publicDataDetailPk: version,
    publicDataPk: number,
    atchFileId: '',
    fileDetailSn: '1',
    publicDataTyCode: 'PR0051',
  });
  const resolve = `${portal}/tcs/dss/selectFileDataDownload.do?${asked.toString()}`;
  const resolved = resolutionOf(textOf(await get(resolve, options)), page);
  const wanted = new URLSearchParams({
    atchFileId: resolved.attachment,
    fileDetailSn: resolved.serial,
    insertDataPrcus: 'N',
  });
  const bytes = await get(`${portal}/cmm/cmm/fileDownload.do?${wanted.toString()}`, options);
  if (bytes.length === 0 || /^\s*<(?:!doctype html|html)/i.test(textOf(bytes.subarray(0, 512)))) {
    const isTable = resolved.extension === 'xls' && bytes.length > 0;
    // Tables of HTML named .xls are data; a page about signing in is not.
    if (!isTable || !/<table/i.test(textOf(bytes))) {
      throw new Error(
        `https://${page} gives its file to signed-in people only: download it there.`,
      );
    }
  }
  return { number, title: resolved.title, extension: resolved.extension, bytes };
}

const portal = 'www.data.go.kr';
/** Files are larger than pages of an operation. */
const limits = { ...portalLimits, bodyBytesMax: 512 * 1_024 * 1_024, overallTimeoutMs: 600_000 };

async function get(target: string, options: DownloadOptions): Promise<Uint8Array> {
  const { gateway, clock = systemClock, signal } = options;
  const referer = `https://${target.replace(/\?.*/, '')}`;
  const headers = { 'User-Agent': 'Maru/1.0 (open data collector)', Referer: referer };
  for (let attempt = 1; ; attempt++) {
    const raw = await getThrough(target, headers, { fetch, gateway, limits }, signal);
    const fault: Fault | null =
      'class' in raw
        ? raw
        : raw.status >= 200 && raw.status < 300
          ? null
          : {
              class: raw.status >= 500 ? 'retry' : 'request',
              code: `http_${raw.status}`,
              message: '',
            };
    if (fault === null && 'body' in raw) return raw.body;
    if (fault?.class !== 'retry' || attempt >= limits.attemptsMax) {
      const code = fault?.code ?? 'nothing';
      throw new Error(
        `${referer} cannot be read (${code}): look at it in a browser, or try later.`,
      );
    }
    await clock.wait(backoffMs(attempt, Math.random, limits), signal);
  }
}

/** The key of the newest version: in the form, or in the call behind the button. */
function versionIn(html: string): string | null {
  const button = /fn_fileDataDown\(\s*'[^']*'\s*,\s*'(uddi:[^']+)'/.exec(html)?.[1];
  if (button === undefined) return null;
  const field = /id="publicDataDetailPk"[^>]*value="(uddi:[^"]+)"/.exec(html)?.[1];
  return field ?? button;
}

function resolutionOf(text: string, page: string) {
  const answer = parsed(text);
  const registered = objectIn(answer, 'fileDataRegistVO');
  const attachment = wordIn(answer, 'atchFileId');
  if (answer['status'] === false || attachment === null) {
    throw new Error(
      `https://${page} has no file to give out at the moment: look at it in a browser.`,
    );
  }
  const title =
    wordIn(objectIn(answer, 'dataSetFileDetailInfo'), 'dataNm') ?? wordIn(registered, 'dataNm');
  const extension = (wordIn(registered, 'atchFileExtsn') ?? 'csv').toLowerCase();
  if (!/^[a-z0-9]{1,8}$/.test(extension)) throw new Error(`https://${page} names a file oddly.`);
  const serial = wordIn(answer, 'fileDetailSn') ?? '1';
  return { attachment, serial, title: title ?? '', extension };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // A page came instead: said below.
  }
  throw new Error(`https://${portal} answered a page instead of a file’s address: try later.`);
}

function objectIn(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const inner = value[name];
  return isObject(inner) ? inner : {};
}

function wordIn(value: Record<string, unknown>, name: string): string | null {
  const word = value[name];
  if (typeof word === 'number') return String(word);
  return typeof word === 'string' && word !== '' ? word : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
