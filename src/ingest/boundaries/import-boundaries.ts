import { basename } from 'node:path';
import { printBorderLines } from '../../data/regions/border-lines.ts';
import { regionTable, type Region } from '../../data/regions/region-table.ts';
import {
  boundaryLicenses,
  type BoundaryLevel,
  type BoundaryLicense,
  type StoredBoundaries,
} from '../../data/regions/stored-boundaries.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { FileRefused } from '../files/refused.ts';
import { boundaryLimits } from './limits.ts';
import {
  matchRegion,
  type MatchedFeature,
  type NamingProperties,
  type UnmatchedReason,
} from './match-region.ts';
import { readFeatures } from './read-features.ts';
import { boundaryTexts } from './refusal-texts.ts';
import { regionLines } from './region-lines.ts';

interface BoundaryOptions extends NamingProperties {
  /** Licence and credit are by default those that the file names. */
  readonly license?: BoundaryLicense | undefined;
  readonly credit?: string | undefined;
}

interface BoundaryReport {
  readonly snapshot: string;
  readonly level: BoundaryLevel;
  readonly license: BoundaryLicense;
  readonly credit: string;
  readonly features: number;
  readonly regions: number;
  readonly unmatched: readonly {
    readonly name: string | null;
    readonly code: string | null;
    readonly reason: UnmatchedReason | 'other_level';
  }[];
  /** Current regions of the level without a boundary in the file. */
  readonly missing: readonly { readonly code: string; readonly name: string }[];
}

/** Error for a file that names no licence or no credit, if the caller names none either. */
export class MissingTerms extends Error {}

/**
 * Imports the boundaries of a TopoJSON or GeoJSON file and publishes them. They replace boundaries of the same level.
 * Throws `FileRefused`, or `MissingTerms` without a licence or credit.
 */
export function importBoundaries(
  data: string,
  path: string,
  options: BoundaryOptions,
): BoundaryReport {
  const { features, members } = readFeatures(path);
  const terms = termsOf(members, options, path);
  const matches = features.map((feature) => matchRegion(feature, options));
  const level = levelOf(matches, path);
  const regions = new Set(
    matches.flatMap(({ region }) => (isOfLevel(level, region) ? [region] : [])),
  );
  const lines = regionLines(
    matches.flatMap(({ region, feature }) =>
      isOfLevel(level, region) ? [{ code: region.code, rings: feature.rings }] : [],
    ),
  );
  const stored: StoredBoundaries = {
    level,
    file: basename(path),
    ...terms,
    loadedAt: new Date().toISOString(),
    regions: [...regions].map(({ code }) => code).sort(),
    lines: printBorderLines(lines),
  };
  using builder = new SnapshotBuilder(data);
  builder.putBoundaries(stored);
  const snapshot = builder.publish(`Loaded the boundaries of ${regions.size} regions (${level}).`);
  return {
    snapshot,
    level,
    ...terms,
    features: features.length,
    regions: regions.size,
    unmatched: matches.flatMap(({ name, code, region, reason }) =>
      isOfLevel(level, region) ? [] : [{ name, code, reason: reason ?? 'other_level' }],
    ),
    missing: regionTable
      .filter((one) => one.until === null && isOfLevel(level, one) && !regions.has(one))
      .filter(({ code }) => level === 'sido' || !codesWithDistricts.has(code))
      .map(({ code, name }) => ({ code, name })),
  };
}

const codesWithDistricts: ReadonlySet<string | null> = new Set(
  regionTable.filter(({ until }) => until === null).map(({ parent }) => parent),
);

/** The level of most regions of a file. Throws if the file has no known region. */
function levelOf(matches: readonly MatchedFeature[], path: string): BoundaryLevel {
  const count = (level: BoundaryLevel): number =>
    matches.filter(({ region }) => isOfLevel(level, region)).length;
  const [sido, sigungu] = [count('sido'), count('sigungu')];
  if (sido + sigungu > 0) return sido > sigungu ? 'sido' : 'sigungu';
  const [first] = matches;
  const example = first?.name ?? first?.code ?? null;
  throw new FileRefused('no_records', boundaryTexts.noRegion(path, example));
}

/** 세종 is a province without districts, and counts for both levels. */
function isOfLevel(level: BoundaryLevel, region: Region | null): region is Region {
  if (region === null) return false;
  return region.level === level || (level === 'sigungu' && !codesWithDistricts.has(region.code));
}

function termsOf(
  members: Readonly<Record<string, unknown>>,
  options: BoundaryOptions,
  path: string,
): Pick<StoredBoundaries, 'license' | 'credit'> {
  const license = options.license ?? licenseOf(members['license'] ?? members['licence']);
  const creditText = options.credit ?? members['attribution'] ?? members['credit'];
  const credit =
    typeof creditText === 'string' ? creditText.normalize('NFC').replace(/\s+/g, ' ').trim() : '';
  if (license === undefined) {
    throw new MissingTerms(
      `${path} names no licence under which boundaries may be changed and shown. Name it: --license ${Object.keys(boundaryLicenses).join('|')}.`,
    );
  }
  if (credit === '' || credit.length > boundaryLimits.creditLengthMax) {
    throw new MissingTerms(
      `The credit of ${path} must have 1 to ${boundaryLimits.creditLengthMax} characters. Name the author: --credit "통계청 행정구역경계 2018".`,
    );
  }
  return { license, credit };
}

function licenseOf(text: unknown): BoundaryLicense | undefined {
  if (typeof text !== 'string') return undefined;
  const ids = Object.keys(boundaryLicenses) as BoundaryLicense[];
  return ids.find((id) => id.toLowerCase() === text.trim().toLowerCase().replace(/\s+/g, '-'));
}
