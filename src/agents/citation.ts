import type { StoredAxis } from '../data/axis.ts';
import type { LookupStore } from '../lookup/store/store.ts';

/** A ready sentence that names the source of an answer, in both languages. */
export interface Citation {
  readonly ko: string;
  readonly en: string;
}

/** Citation of a dataset: provider, title, date, licence, snapshot and address. */
export function datasetCitation({ axis }: StoredAxis, { snapshot }: LookupStore): Citation {
  const date = (axis.sourceModified ?? axis.collectedAt).slice(0, 10);
  const { provider, license, sourceUrl } = axis;
  const isSample = axis.origin === 'sample';
  const ko = [
    provider?.name,
    `「${axis.title}」`,
    isSample ? '예시 데이터(실제 아님)' : null,
    `기준일 ${date}`,
    license?.name,
    `마루 스냅샷 ${snapshot.id}`,
    sourceUrl,
  ];
  const en = [
    provider?.name,
    `“${axis.titleEn ?? axis.title}”`,
    isSample ? 'sample data, not real' : null,
    `as of ${date}`,
    license === null ? null : `licence ${license.id}`,
    `Maru snapshot ${snapshot.id}`,
    sourceUrl,
  ];
  return { ko: joined(ko), en: joined(en) };
}

/** Citation of an answer from several datasets. */
export function snapshotCitation({ snapshot }: LookupStore): Citation {
  const date = snapshot.builtAt.slice(0, 10);
  return {
    ko: `마루 공공데이터 스냅샷 ${snapshot.id} (${date}). 출처와 이용허락은 데이터셋마다 다릅니다.`,
    en: `Maru open data, snapshot ${snapshot.id} (${date}). Sources and licences differ by dataset.`,
  };
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null).join(', ');
}
