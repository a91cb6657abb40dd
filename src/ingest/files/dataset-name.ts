/** The facts in a data file's name; the reference date is nowhere else. */
interface DatasetName {
  /** The name without date, part number and ending, with blanks where an address had `+` or `%20`. */
  readonly title: string;
  /** ISO 8601: a day, a month or a year, as the name gives it; null if it gives none or an impossible one. */
  readonly referenceDate: string | null;
  /** A date that no calendar has, as written: `20150931`. */
  readonly impossibleDate: string | null;
  /** The number of a part, as in `_1`; null for a whole. A browser’s `(1)` is a copy and no part. */
  readonly part: number | null;
  /** The dataset's number on the portal. */
  readonly portalId: string | null;
}

/** Takes a data file's name apart; `name` may be a path. */
export function datasetOfFileName(name: string): DatasetName {
  let rest = plainName(name).replace(copyMark, '');
  let portalId: string | null = null;
  rest = rest.replace(portalNumber, (_, prefixed?: string, leading?: string, later?: string) => {
    portalId = prefixed ?? leading ?? later ?? null;
    return '';
  });
  let found: FoundDate | null = null;
  for (const pattern of datePatterns) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    found = dateOf(match);
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    break;
  }
  let part: number | null = null;
  rest = rest.replace(partNumber, (_, one?: string, two?: string) => {
    part = Number(one ?? two);
    return '';
  });
  return {
    title: tidy(rest) || tidy(plainName(name)),
    referenceDate: found?.iso ?? null,
    impossibleDate: found !== null && found.iso === null ? found.written : null,
    part,
    portalId,
  };
}

function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replaceAll(' _', '_')
    .replace(/^[\s_-]+|[\s_-]+$/gu, '');
}

interface FoundDate {
  readonly iso: string | null;
  readonly written: string;
}

function plainName(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const blanks = file.normalize('NFC').replace(/\+|%20/gu, ' ');
  return blanks.replace(/(?:\.(?:csv|tsv|txt|xlsx?|xlsm|ods|json|ndjson|xml|zip|gz))+$/iu, '');
}

/** `file_15012896` anywhere, or in front, in brackets or set off by `_` digits as the portal gives them. */
const portalNumber =
  /(?:^|[\s_(])file_(\d{6,9})(?=$|[\s_).])|^(1[05]\d{6}|30\d{5})(?=[\s_.-]|$)|[\s_(](1[05]\d{6}|30\d{5})\)?(?=$|[\s_])/u;

/** The suffix that a browser or a file manager adds to the name of a second download. */
const copyMark = /\s*\(\d{1,3}\)\s*$|\s*-\s*복사본\s*$/u;

/** A part `_2` or `part2`; years are no parts, and `2차` is an edition: its records are not more of the first’s. */
const partNumber = /_(\d{1,3})\s*$|[\s_(-]part[\s_.-]?(\d{1,3})\)?\s*$/iu;

const year = '(?<year>(?:19|20)\\d\\d)';
/** Endings as the portal, its agencies and their spreadsheets write them, the surest first. */
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

function dateOf(match: RegExpExecArray): FoundDate {
  const { year: given = '', month, day } = match.groups ?? {};
  const parts = [given.length === 2 ? `20${given}` : given];
  for (const part of [month, day]) if (part !== undefined) parts.push(part.padStart(2, '0'));
  const iso = parts.join('-');
  const time = Date.parse(iso);
  // Date.parse rolls 31 September over to October.
  const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
  const written = match[0].replace(/^[_\s(]+|[\s)]+$/gu, '');
  return { iso: real ? iso : null, written };
}
