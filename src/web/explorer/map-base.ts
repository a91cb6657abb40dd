import type { Language } from '../../contract/language.ts';
import { builtInBoundaries, type Boundaries } from '../../data/regions/boundaries.ts';
import { boundariesWith } from '../../data/regions/merge-boundaries.ts';
import { boundaryLicenses } from '../../data/regions/stored-boundaries.ts';
import { perStore } from '../../lookup/per-store.ts';
import { html, type Html } from '../html.ts';
import { mapTexts } from './map-texts.ts';

/** The borders that maps of a store draw, with their authors. */
interface MapBase {
  readonly boundaries: Boundaries;
  /** A line under each map. */
  readonly source: Readonly<Record<Language, Html>>;
}

/** The borders of maps: loaded ones, and built-in ones of the regions that those lack. */
export const mapBase = perStore((store): MapBase => {
  const stored = store.boundaries();
  const isComplete = stored.some(
    ({ level, regions }) =>
      level === 'sigungu' && regions.length === builtInBoundaries().codes.length,
  );
  const sourceIn = (language: Language): Html => {
    const { source, builtIn } = mapTexts[language];
    const credits = stored.map(
      ({ credit, license }) => `${credit}(${boundaryLicenses[license][language]})`,
    );
    const authors = new Set([...credits, ...(isComplete ? [] : [builtIn])]);
    return html`${source([...authors].join(', '))}`;
  };
  return {
    boundaries: boundariesWith(stored),
    source: { ko: sourceIn('ko'), en: sourceIn('en') },
  };
});
