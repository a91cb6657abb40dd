import { readFileSync } from 'node:fs';
import { html, raw, type Html } from '../html.ts';

/** A chart as wide as the place where it stands. */
export interface Drawing {
  readonly svg: Html;
  /** In pixels. */
  readonly height: number;
}

/** A chart as a file of its own, with a title, a line about its source and the colours of the light theme. */
export function chartFile(
  { svg, height }: Drawing,
  { title, source }: { readonly title: string; readonly source: string },
): Buffer {
  const total = top + height + bottom;
  const file = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${total}"
    viewBox="0 0 ${width} ${total}"
    font-family="Pretendard, Apple SD Gothic Neo, Noto Sans KR, Malgun Gothic, sans-serif"
  >
    <style>
      ${styles()}
    </style>
    <rect class="paper" width="${width}" height="${total}" />
    <text class="title" x="${margin}" y="40">${title}</text>
    <svg x="${margin}" y="${top}" width="${width - 2 * margin}" height="${height}">${svg}</svg>
    <text class="source" x="${margin}" y="${total - 18}">${source}</text>
  </svg>`;
  return Buffer.from(`${file.markup}\n`);
}

const width = 800;
const margin = 32;
const top = 72;
const bottom = 56;

let read: Html | undefined;

/** The styles of charts with the colours themselves, since drawing programs know no variables. */
function styles(): Html {
  read ??= raw(
    asset('charts.css').replace(
      /var\(--([\w-]+)\)/g,
      (_, name: string) => lightColours().get(name) ?? 'currentColor',
    ),
  );
  return read;
}

function lightColours(): ReadonlyMap<string, string> {
  const declared = asset('maru.css').matchAll(/--([\w-]+): light-dark\((#\w+)/g);
  return new Map(Array.from(declared, ([, name, colour]) => [name!, colour!]));
}

function asset(name: string): string {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
}
