import { searchText } from '../src/data/columns/matching-texts.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import { parseQuery } from '../src/data/korean/terms.ts';
import { searchIndexes } from '../src/data/search/search.ts';
import type { Value } from '../src/data/axis.ts';
import { benchData } from './bench-data.ts';

/**
 * A mixed workload over all stored axes: words of one to eight syllables cut from random records, common words,
 * several words, Latin and digits, inside one axis. Then totals of some of them against a scan.
 */
using opened = OpenedSnapshot.open(benchData, currentId(benchData)!);
const codes = [...opened.axes.keys()];
const parts = codes.map((code) => opened.part(code));
let seed = 20_261_121;

const common = [
  '아파트',
  '서울',
  '경기도',
  '서울특별시',
  '구',
  '1',
  '강남구',
  '주차장',
  '어린이',
  '초등학교',
  '버스',
  '2021',
  'sk',
  '부산광역시 해운대구',
  '서울특별시 강남구',
];
const classes: Record<string, string[]> = {
  'common words': repeated(common, 20),
  'one syllable': makeQueries(200, () => cut(1)),
  'two syllables': makeQueries(200, () => cut(2)),
  'three syllables': makeQueries(200, () => cut(3)),
  'four to eight': makeQueries(200, () => cut(4 + random(5))),
  'two words': makeQueries(200, () => `${cut(2)} ${cut(2)}`),
  'three words': makeQueries(200, () => `${cut(2)} ${cut(3)} ${cut(2)}`),
};

const everything: number[] = [];
process.stdout.write(`class             p50 ms   p99 ms   max ms\n`);
for (const [name, queries] of Object.entries(classes)) report(name, queries, parts);
report('inside one axis', classes['two syllables']!, [
  parts.toSorted((a, b) => b.index.documents - a.index.documents)[0]!,
]);
print('mixed', everything);

const checkedQueries = Object.values(classes).flatMap((queries) => queries.slice(0, 5));
const wrongQueries = checkedQueries.filter((text) => {
  const { total, totalRelation } = find(text, parts);
  const scanned = scan(text);
  return totalRelation === 'eq' ? total !== scanned : scanned < total;
});
process.stdout.write(
  `totals checked against a scan: ${checkedQueries.length}, wrong: ${wrongQueries.length} ${wrongQueries.join(' | ')}\n`,
);

function report(name: string, queries: readonly string[], over: typeof parts): void {
  const times = queries.map((text) => {
    const started = performance.now();
    find(text, over);
    return performance.now() - started;
  });
  everything.push(...times);
  print(name, times);
}

function print(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(2).padStart(9);
  process.stdout.write(`${name.padEnd(15)}${at(0.5)}${at(0.99)}${at(1)}\n`);
}

function find(text: string, over: typeof parts): { total: number; totalRelation: string } {
  return searchIndexes(over, parseQuery(text), { offset: 0, limit: 20 });
}

function scan(text: string): number {
  const { terms } = parseQuery(text);
  let found = 0;
  for (const [code, { fields }] of opened.axes) {
    const names = fields.filter((field) => field.searchable).map((field) => field.name);
    for (const { bytes, starts, ends } of opened.part(code).records.blocks()) {
      for (let i = 0; i < starts.length; i++) {
        const record = JSON.parse(bytes.toString('utf8', starts[i], ends[i])) as Record<
          string,
          Value
        >;
        const texts = names.map((name) => searchText(record[name]!));
        if (terms.every((term) => texts.some((one) => one.includes(term.text)))) found++;
      }
    }
  }
  return found;
}

/** A run of `length` units without a blank from a random searchable value. */
function cut(length: number): string {
  for (let tries = 0; tries < 1_000; tries++) {
    const code = codes[random(codes.length)]!;
    const { fields } = opened.axes.get(code)!;
    const { records } = opened.part(code);
    const record = JSON.parse(records.record(random(records.count)).toString()) as Record<
      string,
      Value
    >;
    const field = fields[random(fields.length)]!;
    if (!field.searchable || field.type === 'integer') continue;
    const words = searchText(record[field.name]!)
      .split(' ')
      .filter((word) => word.length >= length);
    if (words.length === 0) continue;
    const word = words[random(words.length)]!;
    const start = random(word.length - length + 1);
    return word.slice(start, start + length);
  }
  throw new Error(`No value has ${length} units.`);
}

function makeQueries(count: number, make: () => string): string[] {
  return Array.from({ length: count }, make);
}

function repeated(texts: readonly string[], times: number): string[] {
  return Array.from({ length: times }, () => texts).flat();
}

/** The same queries in every run. */
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
