import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { findingTexts } from './finding-texts.ts';
import { countFilled } from './head-row.ts';
import type { FileLimits } from './limits.ts';
import { afterProlog } from './markup-prolog.ts';
import { PlacemarkVisitor } from './placemark.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FindingSink, Table } from './table.ts';
import { walkXml } from './xml-reader.ts';

/** True for a text whose root element is that of KML. */
export function isKml(text: string): boolean {
  return /^<kml[\s>]/u.test(afterProlog(text));
}

/**
 * Reads the placemarks of a KML text as a table. Its columns are their elements and extended data, `lon` and `lat` of a
 * point, `geometry` (in GeoJSON) of any other shape, and, if there are several folders, the folder. The text is read
 * twice: first for the names of all columns, then for the cells.
 */
export async function kmlTable(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
): Promise<Table> {
  const names = new Set<string>();
  const folders = new Set<string | null>();
  let placemarks = 0;
  const nameCollector = new PlacemarkVisitor(({ values, folder }) => {
    placemarks += 1;
    folders.add(folder);
    for (const name of values.keys()) names.add(name);
    if (names.size <= limits.columnsMax) return;
    throw new FileRefused('too_large', treeRefusalTexts.kmlTooWide(source.name, limits.columnsMax));
  });
  const walk = walkXml(source, encoding, limits, nameCollector);
  let step = await walk.next();
  while (step.done !== true) step = await walk.next();
  if (placemarks === 0) {
    throw new FileRefused('not_a_table', treeRefusalTexts.kmlWithoutPlacemarks(source.name));
  }
  if (step.value > 0) {
    finding({ kind: 'markup_broken', row: null, detail: findingTexts.markup(step.value) });
  }
  // One folder around all placemarks distinguishes none of them.
  if (folders.size > 1) names.add(folderColumn);
  const sourceNames = [...names];
  const { columns, renamed } = nameColumns(sourceNames);
  return {
    part,
    format: 'xml',
    encoding,
    columns,
    layout: namedLayout({ columns, renamed }),
    batches: readPlacemarks(source, encoding, sourceNames, limits, finding),
  };
}

const folderColumn = '폴더';

async function* readPlacemarks(
  source: ByteSource,
  encoding: Encoding,
  names: readonly string[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(names.length, finding);
  let row = 0;
  const visitor = new PlacemarkVisitor(({ values, geometryName, isShapeBroken, folder }) => {
    row += 1;
    const cells = names.map((name) => values.get(name) ?? (name === folderColumn ? folder : null));
    const geometryAt = geometryName === null ? -1 : names.indexOf(geometryName);
    const isTooLong = String(cells[geometryAt] ?? '').length > limits.geometryUnitsMax;
    if (isTooLong) cells[geometryAt] = null;
    if (isTooLong || isShapeBroken) {
      const detail = isTooLong
        ? findingTexts.geometryTooLong(limits.geometryUnitsMax)
        : findingTexts.geometryUnreadable();
      finding({ kind: 'geometry_not_held', row, detail });
    }
    body.add(cells, countFilled(cells), row, { mayBeNote: false });
  });
  for await (const _ of walkXml(source, encoding, limits, visitor)) {
    if (body.isFull) yield body.takeBatch();
  }
  yield body.endBatch();
}
