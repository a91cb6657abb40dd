import { isObject, parseObject } from '../../kernel/json-object.ts';
import { unescapeHtml } from '../../ingest/files/html-escapes.ts';
import type { Fault } from '../../data/portal/fault.ts';

/** Facts of a FILE dataset's newest version, from its page. */
export interface DatasetPage {
  /** `uddi:…`: different for each version. */
  readonly detailKey: string;
  readonly provider: string | null;
  /** 업데이트 주기 and 이용허락범위 as written. */
  readonly cycle: string | null;
  readonly license: string | null;
}

/** The file of a version on the portal; its id changes with each replacement. */
export interface Attachment {
  readonly id: string;
  readonly serial: string;
  /** With the reference date at its end: `전국…_20260831`. */
  readonly title: string;
  readonly extension: string;
  /** Number of rows that the portal states; null if it states none. */
  readonly rows: number | null;
}

/** A version in a dataset's history. */
export interface PastVersion {
  readonly detailKey: string;
  readonly title: string;
}

/** Reads `/data/<number>/fileData.do`. A cut page is a temporary fault; a page without a file is a lasting one. */
export function readDatasetPage(html: string): DatasetPage | Fault {
  if (!/<\/html>\s*$/i.test(html)) return temporaryFault('html_broken', 'the page is cut off');
  if (!/publicDataPk/.test(html)) return faultOfErrorPage(html);
  const button = /fn_fileDataDown\(\s*'[^']*'\s*,\s*'(uddi:[^']+)'/.exec(html)?.[1];
  const field = /id="publicDataDetailPk"[^>]*value="(uddi:[^"]+)"/.exec(html)?.[1];
  if (button === undefined) {
    return /<th[^>]*>\s*URL\s*<\/th>/.test(html)
      ? lastingFault('agency_hosted', 'only the agency offers the file, the portal has none')
      : lastingFault('no_file', 'the page offers no file');
  }
  return {
    detailKey: field ?? button,
    provider: cellOf(html, '제공기관'),
    cycle: cellOf(html, '업데이트\\s*주기'),
    license: cellOf(html, '이용허락범위'),
  };
}

/** Reads `selectFileDataDownload.do`. */
export function readAttachment(text: string): Attachment | Fault {
  const answer = parseObject(text);
  if (answer === null)
    return temporaryFault('html', 'the response is a page instead of a file’s address');
  const id = textIn(answer, 'atchFileId');
  if (answer['status'] === false)
    return lastingFault('no_file', 'the portal has no file of this version');
  if (answer['status'] !== true || id === null)
    return temporaryFault('not_data', 'the response names no file');
  const registered = objectIn(answer, 'fileDataRegistVO');
  const detail = objectIn(answer, 'dataSetFileDetailInfo');
  const extension = (textIn(registered, 'atchFileExtsn') ?? 'csv').toLowerCase();
  const rows = Number((textIn(registered, 'atchFileCo') ?? '').replaceAll(',', ''));
  return {
    id,
    serial: textIn(answer, 'fileDetailSn') ?? '1',
    title: textIn(detail, 'dataNm') ?? textIn(registered, 'dataNm') ?? '',
    extension: /^[a-z0-9]{1,8}$/.test(extension) ? extension : 'csv',
    rows: Number.isInteger(rows) && rows > 0 ? rows : null,
  };
}

/** Reads `selectHistAndCsvData.do`: part of a page with all versions, also the newest. */
export function readHistory(html: string): { versions: readonly PastVersion[] } | Fault {
  if (!/tab-layer-file-05/.test(html) || !/>\s*$/.test(html)) {
    return temporaryFault('html_broken', 'the response has no list of versions');
  }
  const items = html.matchAll(/data-public-pk="(uddi:[^"]+)"[^>]*>([^<]*)/g);
  const versions = Array.from(items, ([, detailKey = '', title = '']) => ({
    detailKey,
    title: unescapeHtml(title).trim(),
  }));
  return { versions };
}

/** Fault of a page that the portal sends in place of the requested one, mostly with status 200. */
export function faultOfErrorPage(html: string): Fault {
  if (/점검|잠시\s*후/.test(html))
    return temporaryFault('maintenance', 'the response is a maintenance page');
  if (/로그인|회원/.test(html))
    return lastingFault('restricted', 'the file is for signed-in users');
  if (/존재하지\s*않|없습니다/.test(html)) return lastingFault('no_file', 'there is no such file');
  return temporaryFault('html', 'the response is an HTML page');
}

function temporaryFault(code: string, message: string): Fault {
  return { class: 'retry', code, message };
}

function lastingFault(code: string, message: string): Fault {
  return { class: code === 'restricted' ? 'service' : 'request', code, message };
}

/** The cell beside a heading of the page's table. */
function cellOf(html: string, heading: string): string | null {
  const cell = new RegExp(`<th[^>]*>\\s*${heading}\\s*</th>\\s*<td[^>]*>([^<]{1,200})`).exec(html);
  const text = unescapeHtml(cell?.[1] ?? '').trim();
  return text === '' ? null : text;
}

function objectIn(value: Readonly<Record<string, unknown>>, name: string) {
  const inner = value[name];
  return isObject(inner) ? inner : {};
}

function textIn(value: Readonly<Record<string, unknown>>, name: string): string | null {
  const word = value[name];
  if (typeof word === 'number') return String(word);
  return typeof word === 'string' && word !== '' ? word : null;
}
