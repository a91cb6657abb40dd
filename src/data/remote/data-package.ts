import type { StoredAxis } from '../axis.ts';
import { readParquetColumns, type ParquetColumnFacts } from '../parquet/parquet-columns.ts';
import { shownLabel } from '../shown-label.ts';
import { axisFolder, fileNames } from '../snapshot/layout.ts';
import { OpenedSnapshot } from '../snapshot/opened.ts';
import { objectKey } from './stored-manifest.ts';

export const dataPackageKey = 'datapackage.json';

/**
 * Describes the Parquet files of a snapshot by the keys at which a store has them, as a Data Package
 * (https://datapackage.org), so that DuckDB, Trino or Spark find and query them where they are.
 */
export function dataPackageOf(data: string, id: string): Buffer {
  using opened = OpenedSnapshot.open(data, id);
  const resources = opened.axes.values().flatMap((stored) => {
    const file = opened.parquet(stored.axis.code);
    return file === null ? [] : [resourceOf(stored, file)];
  });
  const description = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'maru',
    title: '대한민국 공공데이터 (Maru)',
    version: id,
    created: opened.manifest.builtAt,
    resources: [...resources],
  };
  return Buffer.from(`${JSON.stringify(description, null, 1)}\n`);
}

interface ParquetObject {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

function resourceOf(stored: StoredAxis, { path, ...facts }: ParquetObject): object {
  const { code, title, provider, license, sourceUrl, keyFields, origin } = stored.axis;
  const columns = readParquetColumns(path, facts.bytes);
  const source = provider === null ? title : provider.name;
  return {
    name: code,
    path: objectKey(`${axisFolder(code)}/${fileNames.parquet}`, facts),
    title,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes: facts.bytes,
    hash: `sha256:${facts.sha256}`,
    rows: stored.rows,
    origin,
    collected: stored.axis.collectedAt,
    ...(stored.axis.sourceModified === null ? {} : { modified: stored.axis.sourceModified }),
    sources: [{ title: source, ...(sourceUrl === null ? {} : { path: sourceUrl }) }],
    ...(license === null ? {} : { licenses: [licenseOf(license)] }),
    schema: {
      fields: columns.map((column) => fieldOf(column, stored)),
      ...(keyFields.length === 0 ? {} : { primaryKey: keyFields }),
    },
  };
}

function licenseOf({ id, name, url }: NonNullable<StoredAxis['axis']['license']>): object {
  return { name: id, title: name, ...(url === null ? {} : { path: url }) };
}

/** A column with its Korean title. That of a field's texts is the column of the field with `_text`. */
function fieldOf({ name, type }: ParquetColumnFacts, { fields }: StoredAxis): object {
  const field = fields.find((each) => each.name === name);
  if (field !== undefined) {
    const { unit } = field;
    return { name, type, title: shownLabel(field), ...(unit === null ? {} : { unit }) };
  }
  const typed = fields.find((each) => name.startsWith(`${each.name}_text`));
  return { name, type, title: `${typed === undefined ? name : shownLabel(typed)} (원문)` };
}
