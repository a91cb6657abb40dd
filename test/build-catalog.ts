import type { CatalogType } from '../src/data/axis.ts';
import { newestFirst, type CatalogEntry } from '../src/data/catalog.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { writeCatalog } from '../src/data/snapshot/catalog-writer.ts';
import { buildAxis } from './build-axis.ts';

/** Publishes a catalog beside one stored axis, `file_1`; returns the snapshot's id. */
export function buildCatalog(data: string, entries: readonly CatalogEntry[]): string {
  buildAxis(data, 'file_1', [['하나', null]]);
  return addCatalog(data, entries);
}

/** Publishes a catalog beside the stored axes; returns the snapshot's id. */
export function addCatalog(data: string, entries: readonly CatalogEntry[]): string {
  using builder = new SnapshotBuilder(data);
  const count = (type: CatalogType) => entries.filter((entry) => entry.type === type).length;
  const byType = {
    API: count('API'),
    FILE: count('FILE'),
    LINKED: count('LINKED'),
    STD: count('STD'),
  };
  const summary = { total: entries.length, byType, date: '2026-01-31', origin: 'portal' } as const;
  builder.putCatalog(writeCatalog(builder.stageCatalog(), entries.toSorted(newestFirst), summary));
  return builder.publish('Loaded a catalog.');
}

export function testEntry(
  facts: Pick<CatalogEntry, 'type' | 'portalId' | 'title'> & Partial<CatalogEntry>,
): CatalogEntry {
  return {
    id: `${facts.type}:${facts.portalId}`,
    provider: '시험기관',
    category: null,
    keywords: [],
    description: null,
    formats: [],
    license: null,
    created: null,
    modified: null,
    updateCycle: null,
    views: null,
    requests: null,
    url: null,
    ...facts,
  };
}
