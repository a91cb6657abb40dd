import { membersOf } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { Box, Position } from './distance.ts';
import { runWithoutInlining } from './run-without-inlining.ts';
import type { AxisReader, Selection } from './selection.ts';

/** A grid of square cells of degrees, from its north-western corner. */
export interface Grid {
  readonly west: number;
  readonly north: number;
  /** Side of a cell in degrees. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

export interface ClustersQuery extends Selection {
  readonly grid: Grid;
}

/** The records of a cell. */
export interface Cluster {
  readonly count: number;
  /** Mean position of the records. */
  readonly center: Position;
  readonly box: Box;
  /** Row of the first record. */
  readonly row: number;
}

/** Gathers the selected records in the cells of a grid, from north-west to south-east, without empty cells. */
export function* clusterRecords(
  reader: AxisReader,
  { grid, ...selection }: ClustersQuery,
): Generator<void, Cluster[]> {
  const sets = yield* reader.select(selection);
  const cells = new Cells(grid);
  for (const [chunk, set] of sets.entries()) {
    const members = membersOf(set).subarray(0, set.count);
    const { lats, lons } = reader.places.positionsOf(chunk, members);
    runWithoutInlining(addRecords, cells, members, lats, lons, chunk * chunkDocumentsMax);
    yield;
  }
  return cells.clusters();
}

/** Sums over the records of each cell. Cells are numbered from the north-western one, row by row. */
class Cells {
  readonly grid: Grid;
  readonly counts: Uint32Array;
  readonly latSums: Float64Array;
  readonly lonSums: Float64Array;
  readonly firstRows: Uint32Array;
  readonly boxes: Float64Array;

  constructor(grid: Grid) {
    const cells = grid.columns * grid.rows;
    this.grid = grid;
    this.counts = new Uint32Array(cells);
    this.latSums = new Float64Array(cells);
    this.lonSums = new Float64Array(cells);
    this.firstRows = new Uint32Array(cells);
    this.boxes = new Float64Array(cells * 4);
  }

  clusters(): Cluster[] {
    const found = [...this.counts.keys()].filter((cell) => this.counts[cell]! > 0);
    return found.map((cell) => {
      const count = this.counts[cell]!;
      const [minLon, minLat, maxLon, maxLat] = this.boxes.subarray(cell * 4, cell * 4 + 4);
      return {
        count,
        center: { lat: this.latSums[cell]! / count, lon: this.lonSums[cell]! / count },
        box: { minLon: minLon!, minLat: minLat!, maxLon: maxLon!, maxLat: maxLat! },
        row: this.firstRows[cell]!,
      };
    });
  }
}

function addRecords(
  cells: Cells,
  members: Uint16Array,
  lats: Float64Array,
  lons: Float64Array,
  firstRow: number,
): void {
  const { grid, counts, latSums, lonSums, firstRows, boxes } = cells;
  const { west, north, cell: side, columns, rows } = grid;
  for (let at = 0; at < members.length; at++) {
    const [lat, lon] = [lats[at]!, lons[at]!];
    const column = Math.floor((lon - west) / side);
    const row = Math.floor((north - lat) / side);
    // The position of a record without one is NaN, which is in no cell.
    if (!(column >= 0 && column < columns && row >= 0 && row < rows)) continue;
    const cell = row * columns + column;
    const box = cell * 4;
    if (counts[cell]!++ === 0) {
      firstRows[cell] = firstRow + members[at]!;
      boxes[box] = boxes[box + 2] = lon;
      boxes[box + 1] = boxes[box + 3] = lat;
    }
    latSums[cell]! += lat;
    lonSums[cell]! += lon;
    if (lon < boxes[box]!) boxes[box] = lon;
    if (lat < boxes[box + 1]!) boxes[box + 1] = lat;
    if (lon > boxes[box + 2]!) boxes[box + 2] = lon;
    if (lat > boxes[box + 3]!) boxes[box + 3] = lat;
  }
}
