import type { Region } from '../../data/regions/region-table.ts';
import { html, type Html } from '../html.ts';

interface CartogramTile {
  readonly region: Region;
  readonly href: string;
  /** Text under the name, such as a number of datasets. */
  readonly text: string;
}

/** A map of the provinces as tiles of equal size, each a link; one without a place of its own stands below. */
export function cartogram(label: string, tiles: readonly CartogramTile[]): Html {
  let spare = 0;
  const placed = tiles.map((tile) => {
    const place = places[tile.region.code] ?? [spare++, rows];
    return { ...tile, column: place[0], row: place[1] };
  });
  const height = (Math.max(...placed.map(({ row }) => row)) + 1) * step;
  return html`<svg
    class="cartogram"
    viewBox="0 0 ${columns * step} ${height}"
    role="group"
    aria-label="${label}"
  >
    ${placed.map(({ region, href, text, column, row }) => {
      const [x, y] = [column * step + gap / 2, row * step + gap / 2];
      return html`<a href="${href}" aria-label="${shortName(region)} ${text}, ${region.name}">
        <rect x="${x}" y="${y}" width="${step - gap}" height="${step - gap}" rx="8" />
        <text x="${x + (step - gap) / 2}" y="${y + 29}">${shortName(region)}</text>
        <text class="quiet" x="${x + (step - gap) / 2}" y="${y + 48}">${text}</text>
      </a>`;
    })}
  </svg>`;
}

const step = 72;
const gap = 6;
const columns = 4;
const rows = 5;

/** Column and row of each province, roughly as on a map. */
const places: Readonly<Record<string, readonly [column: number, row: number]>> = {
  '28': [0, 0],
  '11': [1, 0],
  '41': [2, 0],
  '51': [3, 0],
  '44': [0, 1],
  '36': [1, 1],
  '43': [2, 1],
  '47': [3, 1],
  '52': [0, 2],
  '30': [1, 2],
  '27': [2, 2],
  '31': [3, 2],
  '12': [0, 3],
  '48': [1, 3],
  '26': [2, 3],
  '50': [0, 4],
};

/** The short name; the name of a merged province is cut to fit. */
function shortName({ short }: Region): string {
  return short.length > 4 ? short.slice(0, 4) : short;
}
