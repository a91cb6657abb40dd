import { createHash } from 'node:crypto';
import type { Axis, CatalogType, Origin } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { licenseOf } from '../catalog/terms.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { InputFile } from './inputs.ts';

/** Facts about a file from the command line; they take precedence over the facts in its name. */
export interface IdentityOptions {
  readonly axis?: string;
  readonly title?: string;
  readonly type?: CatalogType;
  /** `file` if absent. */
  readonly origin?: Origin;
}

/** Search for the catalog entry of a number or a title; null if there is no such entry or no catalog. */
export interface CatalogLookup {
  byNumber(portalId: string): CatalogEntry | null;
  byTitle(title: string): CatalogEntry | null;
}

export interface Identity {
  readonly axis: Omit<Axis, 'keyFields'>;
  /** True if the number is derived from the title, because name, manifest and catalog give none. */
  readonly isProvisional: boolean;
  /** The code that the axis would have if other data of the load did not have it. */
  readonly insteadOf?: string;
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
  const title = options.title ?? file.title ?? nameFacts.title;
  const optionNumber = options.axis === undefined ? null : numberOfCode(options.axis);
  const portalId =
    optionNumber ?? file.portalId ?? nameFacts.portalId ?? catalog.byTitle(title)?.portalId ?? null;
  const code = `file_${portalId ?? provisionalNumber(title)}`;
  const isProvisional = portalId === null || portalId.startsWith('0');
  const entry = portalId === null ? null : catalog.byNumber(portalId);
  const type = options.type ?? entry?.type ?? typeOfTitle(title);
  return {
    isProvisional,
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

/** Replaces the code by one that is derived from the title, because another dataset has the number. */
export function withProvisionalCode({ axis }: Identity, title: string): Identity {
  return {
    isProvisional: true,
    insteadOf: axis.code,
    axis: {
      ...axis,
      code: `file_${provisionalNumber(title)}`,
      title,
      portalId: null,
      sourceUrl: null,
    },
  };
}

/** The portal number in the code of a file's axis. Throws if a file's axis cannot have the code. */
export function numberOfCode(code: string): string {
  const number = /^file_(\d{1,12})$/.exec(code)?.[1];
  if (number !== undefined) return number;
  throw new Error(
    `${code} is not the code of a data file. Give file_ and the portal number, such as file_15012896.`,
  );
}

function provisionalNumber(title: string): string {
  const digest = createHash('sha256').update(matchingText(title).replaceAll(' ', '')).digest();
  return `0${String(digest.readUIntBE(0, 6) % 1_000_000_000).padStart(9, '0')}`;
}

/** Standard datasets have names like 전국…표준데이터 on the portal. */
function typeOfTitle(title: string): CatalogType {
  return /^전국.*표준데이터/.test(title) ? 'STD' : 'FILE';
}

/** The portal names a file dataset `제공기관_데이터명`. */
function providerOf(catalogName: string | null, title: string): Axis['provider'] {
  if (catalogName !== null) return { name: catalogName, code: null };
  const [first, ...rest] = title.split('_');
  const isName = rest.length > 0 && /^[가-힣][가-힣 ()·]{2,}$/.test(first!);
  return isName ? { name: first!, code: null } : null;
}
