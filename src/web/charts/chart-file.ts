import { readFileSync } from 'node:fs';
import { html, raw, type Html } from '../html.ts';

/** A chart as wide as the place where it stands. */
export interface Drawing {
  readonly svg: Html;
  /** In pixels. */
  readonly height: number;
}

/** A chart as a file of its own, with a title, notes, a line about its source and the colours of the light theme. */
export function chartFile({ svg, height }: Drawing, { title, notes, source }: ChartTexts): Buffer {
  const lines = notes.flatMap((note) => linesOf(note));
  const total = top + height + bottom + lines.length * lineHeight;
  const firstLine = top + height + lineHeight + 6;
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
    ${lines.map(
      (line, at) =>
        html`<text class="source" x="${margin}" y="${firstLine + at * lineHeight}">${line}</text>`,
    )}
    <text class="source" x="${margin}" y="${total - 18}">${source}</text>
  </svg>`;
  return Buffer.from(`${file.markup}\n`);
}

interface ChartTexts {
  readonly title: string;
  /** Sentences about the records of the chart. */
  readonly notes: readonly string[];
  readonly source: string;
}

/** The lines of a sentence, since SVG breaks none: a line of Korean letters fills the width of the file. */
function linesOf(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && widthOf(`${line} ${word}`) > lineWidthMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Width of a text in letters of Latin, of which a Korean one takes nearly two. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + (letter > '\u1100' ? 1.8 : 1), 0);
}

const lineWidthMax = 110;
const lineHeight = 18;
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
