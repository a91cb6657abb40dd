import { createHash } from 'node:crypto';
import type { Axis, CatalogType, Origin } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { licenseOf } from '../catalog/terms.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { InputFile } from './inputs.ts';
import { noMatches, type TitleMatches } from './title-match.ts';

/** Facts about a file from the command line; they take precedence over the facts in its name. */
export interface IdentityOptions {
  readonly axis?: string;
  readonly title?: string;
  readonly type?: CatalogType;
  /** `file` if absent. */
  readonly origin?: Origin;
}

/** Search for the catalog entries of a number or a title; none if there is no catalog. */
export interface CatalogLookup {
  byNumber(portalId: string): CatalogEntry | null;
  byTitle(title: string): TitleMatches;
}

export interface Identity {
  readonly axis: Omit<Axis, 'keyFields'>;
  /** True if the number is derived from the title, because name, manifest and catalog give none. */
  readonly isProvisional: boolean;
  /** True if the title is the file’s name although that does not describe the data; else absent. */
  readonly isUntitled?: true;
  /** The code that the axis would have if no other table had it. */
  readonly insteadOf?: string;
  /** Catalog entries that the file may belong to, if its title alone does not decide it. */
  readonly candidates?: TitleMatches;
}

/**
 * Identifies the axis of a data file from the options, the manifest, the file's name and the catalog, in this
 * order. If none gives a number, the code is derived from the title: `file_0` and nine digits. No number of the
 * portal begins with 0. The same title gives the same code on every machine.
 */
export function identityOf(
  file: Omit<InputFile, 'sizeBytes' | 'isNamed'>,
  options: IdentityOptions,
  catalog: CatalogLookup,
  now: Date,
): Identity {
  const nameFacts = datasetOfFileName(file.path);
  const givenTitle = options.title ?? file.title;
  const title = givenTitle ?? nameFacts.title;
  const optionNumber = options.axis === undefined ? null : numberOfCode(options.axis);
  const givenNumber = optionNumber ?? file.portalId ?? nameFacts.portalId;
  const matches = givenNumber === null ? catalog.byTitle(title) : noMatches;
  const entryByTitle = matches.same.length === 1 ? matches.same[0]! : null;
  const portalId = givenNumber ?? entryByTitle?.portalId ?? null;
  const hasCandidates = entryByTitle === null && matches.same.length + matches.near.length > 0;
  const code = `file_${portalId ?? provisionalNumber(spelling(title))}`;
  const isProvisional = portalId === null || portalId.startsWith('0');
  const entry = portalId === null ? null : catalog.byNumber(portalId);
  const type = options.type ?? entry?.type ?? typeOfTitle(title);
  const isUntitled = givenTitle === null && nameFacts.titleSource === 'none' && entry === null;
  return {
    isProvisional,
    ...(isUntitled && { isUntitled }),
    ...(hasCandidates && { candidates: matches }),
    axis: {
      code,
      title: options.title ?? entry?.title ?? title,
      titleEn: null,
      type,
      portalId: isProvisional ? null : portalId,
      provider: providerOf(entry?.provider ?? null, title),
      origin: options.origin ?? 'file',
      sourceModified: nameFacts.referenceDate ?? entry?.modified ?? null,
      collectedAt: now.toISOString(),
      updateCycle: entry?.updateCycle ?? null,
      license: entry?.license ?? (file.license === null ? null : licenseOf(file.license)),
      sourceUrl: isProvisional ? null : (entry?.url ?? portalPage(portalId, type)),
    },
  };
}

/** Facts that distinguish a table from the other tables with the same code. */
export interface TableName {
  readonly title: string;
  /** Names of the columns, if another table has the title; the order does not count. */
  readonly columns: readonly string[] | null;
  /** Place of the file, if another table has the title and the columns. */
  readonly place: FilePlace | null;
}

/** Place of a file below the folder that it has in common with other files. */
export interface FilePlace {
  /** Path of the file’s folder, or of the file itself. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Identity of a table beside the main table of a code. Its code is derived from the main code and the table's name, so
 * it is the same on every machine. `isTaken` is true for the codes of other tables; `titles` are theirs.
 */
export function deriveIdentity(
  { axis }: Identity,
  name: TableName,
  isTaken: (code: string) => boolean,
  titles: ReadonlySet<string> = new Set(),
): Identity {
  const columns = name.columns?.toSorted() ?? null;
  const place = name.place?.path ?? null;
  for (let attempt = 0; ; attempt++) {
    const key = JSON.stringify([axis.code, spelling(name.title), columns, place, attempt]);
    const code = `file_${provisionalNumber(key)}`;
    if (isTaken(code)) continue;
    const title = titlesOf(name).find((text) => !titles.has(text)) ?? `${name.title} (${code})`;
    return { isProvisional: true, insteadOf: axis.code, axis: { ...axis, code, title } };
  }
}

/** Titles that distinguish a table from others, the shortest first. */
function titlesOf({ title, columns, place }: TableName): string[] {
  const columnNames = columnsTitle(columns ?? []);
  const short = place?.path || columnNames;
  if (place !== null && !place.isFolder) {
    const own = place.path.includes(title) ? place.path : `${title} (${place.path})`;
    return [own, `${own} (${columnNames})`];
  }
  return [
    short === '' ? title : `${title} (${short})`,
    `${title} (${[place?.path, columnNames].filter(Boolean).join('; ')})`,
  ];
}

/** The first names of columns, for the title of a table that nothing else distinguishes. */
export function columnsTitle(columns: readonly string[]): string {
  return columns.slice(0, titleColumnsMax).join(', ');
}

const titleColumnsMax = 3;

/** Minimum share of common column names of two versions of a dataset, in the version with fewer columns. */
const sameDatasetOverlap = 0.5;

/** True if two tables have similar columns, so that one may be a version of the other. */
export function hasSimilarColumns(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(other);
  const common = new Set(one.filter((name) => names.has(name))).size;
  return common >= sameDatasetOverlap * Math.max(1, Math.min(one.length, other.length));
}

/** True for titles in the form of the portal, which identify a dataset: `제공기관_데이터명`, `전국…표준데이터`. */
export function isPortalTitle(title: string): boolean {
  return providerInTitle(title) !== null || typeOfTitle(title) === 'STD';
}

/** The portal number in the code of a file's axis. Throws if a file's axis cannot have the code. */
export function numberOfCode(code: string): string {
  const number = /^file_(\d{1,12})$/.exec(code)?.[1];
  if (number !== undefined) return number;
  throw new Error(
    `${code} is not the code of a data file. Give file_ and the portal number, such as file_15012896.`,
  );
}

/** A title without blanks, case and the like: titles with the same spelling are the same title. */
function spelling(title: string): string {
  return matchingText(title).replaceAll(' ', '');
}

function provisionalNumber(key: string): string {
  const digest = createHash('sha256').update(key).digest();
  return `0${String(digest.readUIntBE(0, 6) % 1_000_000_000).padStart(9, '0')}`;
}

/** Standard datasets have names like 전국…표준데이터 on the portal. */
function typeOfTitle(title: string): CatalogType {
  return /^전국.*표준데이터/.test(title) ? 'STD' : 'FILE';
}

/** The portal names a file dataset `제공기관_데이터명`. */
function providerOf(catalogName: string | null, title: string): Axis['provider'] {
  const name = catalogName ?? providerInTitle(title);
  return name === null ? null : { name, code: null };
}

function providerInTitle(title: string): string | null {
  const [first, ...rest] = title.split('_');
  return rest.length > 0 && /^[가-힣][가-힣 ()·]{2,}$/.test(first!) ? first! : null;
}
