/** Facts in the name of a data file; no other place has its reference date. */
interface DatasetName {
  /** The name without date, part number and ending; `+` and `%20` are blanks. */
  readonly title: string;
  /** `none` if the title is a date, a number or a word such as `download`. */
  readonly titleSource: 'name' | 'folder' | 'none';
  /** ISO 8601 day, month or year; null if the name has none or an impossible one. */
  readonly referenceDate: string | null;
  /** An impossible date as written, such as `20150931`; null if there is none. */
  readonly impossibleDate: string | null;
  /** Number of a part, as in `_1`; null for a whole file. `(1)` of a browser marks a copy, not a part. */
  readonly part: number | null;
  /** The dataset's number on the portal. */
  readonly portalId: string | null;
}

/**
 * Parses the name of a data file; `name` may be a path. If the name has no title, as in `20240630.csv`, the title of the
 * nearest folder with a Korean name counts.
 */
export function datasetOfFileName(name: string): DatasetName {
  const [file = '', ...folders] = name.split(/[/\\]/u).reverse();
  const own = partsOfName(withoutEnding(file));
  if (own.titleSource === 'name') return own;
  const folder = folders
    .slice(0, foldersMax)
    .map((each) => partsOfName(withBlanks(each)))
    .find(({ title, titleSource }) => titleSource === 'name' && koreanWord.test(title));
  if (folder === undefined) return own;
  const { title, portalId } = folder;
  return { ...own, title, titleSource: 'folder', portalId: own.portalId ?? portalId };
}

const foldersMax = 2;
const koreanWord = /[가-힣]{2}/u;

/** Names that programs and people give to files and folders of any content. */
const anyFile =
  /^(?:downloads?|data|export|result|output|untitled|files?|book|sheet|다운로드|내려받기|데이터|내보내기|제목 없음|통합 문서|첨부파일|바탕 화면|(?:새 )?(?:파일|폴더|문서))$/iu;

/** True for a title that has letters and is not a name that any file could have. */
function isOwnTitle(title: string): boolean {
  return /\p{L}/u.test(title) && !anyFile.test(title.replace(/[\d()\s_-]+$/u, ''));
}

function partsOfName(name: string): DatasetName {
  let rest = name.replace(copyMark, '');
  let portalId: string | null = null;
  rest = rest.replace(portalNumber, (_, prefixed?: string, leading?: string, later?: string) => {
    portalId = prefixed ?? leading ?? later ?? null;
    return '';
  });
  let date: NameDate | null = null;
  for (const pattern of datePatterns) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    date = dateOf(match);
    const before = rest.slice(0, match.index).replace(/\.$/u, '');
    rest = `${before} ${rest.slice(match.index + match[0].length)}`;
    break;
  }
  let part: number | null = null;
  rest = rest.replace(partNumber, (_, one?: string, two?: string) => {
    part = Number(one ?? two);
    return '';
  });
  const title = trimmedTitle(rest) || trimmedTitle(name);
  return {
    title,
    titleSource: isOwnTitle(title.replace(portalNumber, '')) ? 'name' : 'none',
    referenceDate: date?.iso ?? null,
    impossibleDate: date !== null && date.iso === null ? date.written : null,
    part,
    portalId,
  };
}

function trimmedTitle(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replaceAll(' _', '_')
    .replace(/^[\s_-]+|[\s_-]+$/gu, '');
}

interface NameDate {
  readonly iso: string | null;
  readonly written: string;
}

function withBlanks(name: string): string {
  return name.normalize('NFC').replace(/\+|%20/gu, ' ');
}

function withoutEnding(file: string): string {
  return withBlanks(file).replace(
    /(?:\.(?:csv|tsv|txt|tab|lst|xlsx?|xls[bm]|ods|dbf|parquet|json|geojson[ls]?|ndjson|jsonl|js|xml|rss|gml|gpx|kml|kmz|zip|gz))+$/iu,
    '',
  );
}

/** Matches `file_15012896` anywhere, or digits of a portal number at the start, in brackets or after `_`. */
const portalNumber =
  /(?:^|[\s_(])file_(\d{6,9})(?=$|[\s_).])|^(1[05]\d{6}|30\d{5})(?=[\s_.-]|$)|[\s_(](1[05]\d{6}|30\d{5})\)?(?=$|[\s_])/u;

/** The suffix that a browser or a file manager adds to the name of a second download. */
const copyMark = /\s*\(\d{1,3}\)\s*$|\s*-\s*복사본\s*$/u;

/** Matches a part such as `_2`, `part2` or `page2`. `2차` is another edition, not a part. */
const partNumber = /_(\d{1,3})\s*$|[\s_(-](?:part|page)[\s_.-]?(\d{1,3})\)?\s*$/iu;

const year = '(?<year>(?:19|20)\\d\\d)';
/** Dates as the portal, its agencies and their spreadsheets write them; the least ambiguous patterns are first. */
const datePatterns: readonly RegExp[] = [
  new RegExp(`[_\\s(]*(?<month>\\d\\d)_(?<day>\\d\\d)_${year}\\)?\\s*$`, 'u'),
  new RegExp(`[_\\s(]*${year}[-.](?<month>\\d\\d?)[-.](?<day>\\d\\d?)\\.?(?:\\s*기준)?\\)?`, 'u'),
  new RegExp(
    `[_\\s(]*${year}(?<month>\\d\\d)(?<day>\\d\\d)(?:\\d{6}|\\d{4})?(?:\\s*기준)?\\)?(?!\\d)`,
    'u',
  ),
  new RegExp(
    `[_\\s(]*${year}년\\s*(?<month>\\d\\d?)월(?:\\s*(?<day>\\d\\d?)일)?(?:\\s*(?:말\\s*)?기준)?\\)?`,
    'u',
  ),
  /[_\s(]*'?(?<year>\d\d)\.\s?(?<month>\d\d?)월?\.?(?:\s*말)?\s*기준\)?/u,
  new RegExp(`[_\\s]${year}(?<month>0[1-9]|1[0-2])\\s*$`, 'u'),
  new RegExp(`[_\\s-]${year}년?\\s*$`, 'u'),
];

function dateOf(match: RegExpExecArray): NameDate {
  const { year: yearText = '', month, day } = match.groups ?? {};
  const parts = [yearText.length === 2 ? `20${yearText}` : yearText];
  for (const part of [month, day]) if (part !== undefined) parts.push(part.padStart(2, '0'));
  const iso = parts.join('-');
  const time = Date.parse(iso);
  // Date.parse turns 31 September into 1 October.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
  const written = match[0].replace(/^[_\s(]+|[\s)]+$/gu, '');
  return { iso: isReal ? iso : null, written };
}
