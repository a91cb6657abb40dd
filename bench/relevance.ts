import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Origin, Row, Value } from '../src/data/axis.ts';
import { matchingText } from '../src/data/korean/normalise.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { readRows } from '../src/data/snapshot/records.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import judgements from './relevance/judgements.json' with { type: 'json' };

/**
 * Judged relevance of search: nDCG@10 and the share of queries without a hit, by class, over a data folder with the
 * sample data and the files that `README.md` lists. Half of the queries (`held-out`) must not be looked
 * at while the engine is changed, nor may those by readers who have not seen the engine (`fresh` in part, `blind` wholly). Grades are rules, so
 * that the ideal order ranks all stored records. For the catalog it counts the list that a user sees: the entries that
 * a query finds, then near entries; `of found alone` leaves the near entries out.
 */
const [data, set = 'all'] = process.argv.slice(2);
if (data === undefined)
  throw new Error(
    'Usage: bench/relevance.ts DATA [tuned|held-out|fresh|blind|pooled-tuned|pooled-held-out|all]',
  );

interface Rule {
  readonly axis?: string;
  readonly all?: Readonly<Record<string, string>>;
  readonly contains?: readonly string[];
  readonly title?: readonly string[];
  /** Regular expressions by field; `*` is the whole record as JSON. Case matters unless an expression begins with `(?i)`. */
  readonly matches?: Readonly<Record<string, string>>;
  /** True for the dataset alone, not for its records. */
  readonly isDataset?: boolean;
  readonly grade: number;
}

interface Judgement {
  readonly query: string;
  readonly over: string;
  readonly class: string;
  readonly set: string;
  readonly relevant: readonly Rule[];
}

const chosenJudgements = (judgements as unknown as readonly Judgement[]).filter(
  (judgement) => set === 'all' || judgement.set === set,
);
/** Datasets that the page shows first. */
const datasetsMax = 3;
const origins = originsOf();
const missing = new Set(
  chosenJudgements
    .flatMap(({ relevant }) => relevant.flatMap(({ axis }) => axis ?? []))
    .filter((axis) => axis !== '' && axis !== '*' && !origins.has(axis)),
);
if (missing.size > 0) process.stderr.write(`DATA lacks judged axes: ${[...missing].join(', ')}\n`);
const expressions = new Map<string, RegExp>();
const port = 47_350;
const server = spawn(resolve(import.meta.dirname, '..', 'maru'), ['serve', 'lookup'], {
  env: { ...process.env, MARU_DATA: data, MARU_LOG: 'warning', PORT: String(port) },
  stdio: 'ignore',
});
try {
  await whenReady();
  const relevant = relevantHits();
  const scores = new Map<string, Score>();
  for (const [at, judgement] of chosenJudgements.entries()) {
    const { shown, found, near } = await answerOf(judgement);
    const lawful = contractOrder([...relevant[at]!, ...found, ...near]).map(({ grade }) => grade);
    const free = relevant[at]!.map(({ grade }) => grade).sort((a, b) => b - a);
    for (const key of [judgement.over, `${judgement.over} ${judgement.class}`]) {
      const score = scores.get(key) ?? newScore();
      scores.set(key, score);
      score.queries++;
      if (shown.length === 0) score.without++;
      if (lawful.some((grade) => grade > 0)) score.lawful.push(normalisedGain(shown, lawful));
      if (free.length === 0) {
        score.unjudged++;
        continue;
      }
      score.free.push(normalisedGain(shown, free));
      const alone = shown.slice(0, shown.length - near.length);
      if (judgement.over === 'catalog') score.alone.push(normalisedGain(alone, free));
    }
  }
  for (const [key, score] of [...scores].sort(([a], [b]) => (a < b ? -1 : 1))) print(key, score);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

interface Score {
  queries: number;
  without: number;
  /** Queries without a relevant record in the data folder, which neither order can find. */
  unjudged: number;
  /** nDCG@10 against the best order that the contract allows, of the queries with any relevant hit in it. */
  readonly lawful: number[];
  /** nDCG@10 against the best order of all. */
  readonly free: number[];
  /** The same for the catalog entries that a query finds, without near entries; empty for records. */
  readonly alone: number[];
}

function newScore(): Score {
  return { queries: 0, without: 0, unjudged: 0, lawful: [], free: [], alone: [] };
}

function print(key: string, { queries, without, unjudged, lawful, free, alone }: Score): void {
  const share = ((100 * without) / queries).toFixed(1);
  const left = unjudged === 0 ? '' : `, ${unjudged} with no relevant record stored`;
  const found = alone.length === 0 ? '' : `, of found alone ${mean(alone)}`;
  process.stdout.write(
    `${key.padEnd(24)}${String(queries).padStart(4)}  nDCG@10 ${mean(lawful)} (of any order ${mean(free)}${found})  ${share} % without a hit${left}\n`,
  );
}

/** A dash if no query counts: a class may have none with a relevant hit in the order of the contract. */
function mean(values: readonly number[]): string {
  if (values.length === 0) return '–';
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
}

/** A hit with its grade: a record, the records of an axis with one name, a catalog entry, or a dataset as such. */
interface GradedHit {
  readonly axis: string;
  /** Equal for hits of an axis that are shown once. */
  readonly name: string;
  readonly grade: number;
  readonly isDataset?: boolean;
}

/** A record, or an entry of the catalog. */
interface Item {
  readonly axis?: string;
  readonly row?: number;
  readonly id?: string;
  readonly record?: Row;
  readonly title: string | null;
}

/** Searches for a query: the grades of all answers in the order of the page, and the hits (up to 200) and near ones. */
async function answerOf({ query, over, relevant }: Judgement) {
  const path = over === 'catalog' ? '/api/catalog/search' : '/api/data/search';
  const parameters = new URLSearchParams({ q: query, limit: '200', rewrite: '1' });
  const response = await fetch(`http://127.0.0.1:${port}${path}?${parameters.toString()}`);
  const {
    items,
    near = [],
    datasets = [],
  } = (await response.json()) as {
    items: Item[];
    near?: Item[];
    datasets?: { axis: string | null }[];
  };
  const graded = (item: Item): GradedHit => {
    const { axis = '', row, id, record, title } = item;
    // An entry of the catalog is its own record: rules may name its description.
    const grade = gradeOf(relevant, axis, record ?? (item as Item & Row));
    return { axis, name: nameOf(axis, title, row ?? id!), grade };
  };
  const found = items.map(graded);
  const nearHits = near.map(graded);
  const datasetGrades = new Map(
    relevant.filter(isForDataset).map((rule) => [rule.axis, rule.grade]),
  );
  const namedGrades = datasets
    .slice(0, datasetsMax)
    .flatMap(({ axis }) => datasetGrades.get(axis ?? undefined) ?? []);
  const grades = [...found, ...nearHits].map(({ grade }) => grade);
  return { shown: [...namedGrades, ...grades], found, near: nearHits };
}

function nameOf(axis: string, title: Value, id: number | string): string {
  return title === null || title === '' || axis === '' ? `#${id}` : matchingText(String(title));
}

/** The best order that the contract allows, as `relevance/README.md` has it: the first ten of the hits. */
function contractOrder(all: readonly GradedHit[]): GradedHit[] {
  const hits = new Map<string, GradedHit>();
  for (const hit of all) {
    const key = `${hit.axis}\n${hit.name}`;
    if ((hits.get(key)?.grade ?? -1) < hit.grade) hits.set(key, hit);
  }
  const best = [...hits.values()].sort((a, b) => b.grade - a.grade);
  const datasets = best.filter(({ isDataset }) => isDataset).slice(0, datasetsMax);
  const records = best.filter(({ isDataset }) => isDataset !== true);
  const real = records.filter(({ axis }) => !isSample(axis));
  const samples = records.filter(({ axis }) => isSample(axis));
  return [...datasets, ...spread(real), ...spread(samples)].slice(0, 10);
}

/** At most three hits of an axis first, as long as others have any. */
function spread(hits: readonly GradedHit[]): GradedHit[] {
  const hitsByAxis = new Map<string, number>();
  const isFirst = ({ axis }: GradedHit): boolean => {
    hitsByAxis.set(axis, (hitsByAxis.get(axis) ?? 0) + 1);
    return axis === '' || hitsByAxis.get(axis)! <= 3;
  };
  const first = hits.filter(isFirst).slice(0, 10);
  return [...first, ...hits.filter((hit) => !first.includes(hit))];
}

function gradeOf(rules: readonly Rule[], axis: string, record: Row): number {
  return Math.max(0, ...rules.filter((rule) => fits(rule, axis, record)).map(({ grade }) => grade));
}

function fits(rule: Rule, axis: string, record: Row): boolean {
  if (rule.isDataset === true) return false;
  if (rule.title !== undefined)
    return rule.title.every((part) => String(record['title']).includes(part));
  if (rule.axis !== '*' && rule.axis !== axis) return false;
  const isFieldWrong = ([name, part]: [string, string]): boolean =>
    !String(record[name] ?? '').includes(part);
  if (Object.entries(rule.all ?? {}).some(isFieldWrong)) return false;
  const isUnmatched = ([name, pattern]: [string, string]): boolean =>
    !expressionOf(pattern).test(name === '*' ? JSON.stringify(record) : String(record[name] ?? ''));
  if (Object.entries(rule.matches ?? {}).some(isUnmatched)) return false;
  const values = Object.values(record).map((value) => String(value ?? ''));
  return (rule.contains ?? []).every((part) => values.some((value) => value.includes(part)));
}

/** True for rules that the dataset itself meets: those for it alone, and for all of its records with the best grade. */
function isForDataset({ all, contains, title, matches, isDataset, grade }: Rule): boolean {
  if (isDataset === true) return true;
  const isWhole = [all, contains, title, matches].every((part) => part === undefined);
  return isWhole && grade === 3;
}

function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const bare = pattern.replace('(?i)', '');
    expression = new RegExp(bare, bare === pattern ? 'u' : 'iu');
    expressions.set(pattern, expression);
  }
  return expression;
}

/** For each query, the ten best hits of each axis among all records stored. */
function relevantHits(): GradedHit[][] {
  using opened = OpenedSnapshot.open(data!, currentId(data!)!);
  const relevant = chosenJudgements.map(({ relevant: rules }): GradedHit[] =>
    rules
      .filter((rule) => isForDataset(rule) && origins.has(rule.axis!))
      .map(({ axis, grade }) => ({ axis: axis!, name: '', grade, isDataset: true })),
  );
  const add = (axis: string, name: string | undefined, records: Iterable<Row>): void => {
    const over = axis === '' ? 'catalog' : 'data';
    const open = chosenJudgements.flatMap(({ relevant: all, over: of }, at) => {
      const rules = all.filter((rule) => rule.axis === axis || rule.axis === '*' || rule.title);
      return of === over && rules.length > 0
        ? [{ at, rules, best: new Map<string, GradedHit>() }]
        : [];
    });
    let row = 0;
    for (const record of records) {
      const id = axis === '' ? String(record['id']) : row;
      row++;
      for (const { rules, best } of open) {
        const grade = gradeOf(rules, axis, record);
        if (grade === 0) continue;
        const key = nameOf(axis, name === undefined ? null : (record[name] ?? null), id);
        if ((best.get(key)?.grade ?? 0) < grade) best.set(key, { axis, name: key, grade });
      }
    }
    for (const { at, best } of open) {
      relevant[at]!.push(...[...best.values()].sort((a, b) => b.grade - a.grade).slice(0, 10));
    }
  };
  for (const [code, { fields }] of opened.axes) {
    const name = fields.find(({ role }) => role === 'name')?.name;
    add(code, name, readRows(opened.part(code).records));
  }
  if (opened.catalog !== null) add('', undefined, readRows(opened.catalog.part.records));
  return relevant;
}

function isSample(axis: string): boolean {
  return origins.get(axis) === 'sample';
}

function originsOf(): Map<string, Origin> {
  using opened = OpenedSnapshot.open(data!, currentId(data!)!);
  return new Map([...opened.axes].map(([code, { axis }]) => [code, axis.origin]));
}

function normalisedGain(grades: readonly number[], ideal: readonly number[]): number {
  return Math.min(1, discountedGain(grades) / discountedGain(ideal));
}

/** Discounted cumulative gain of the first ten graded answers (Järvelin and Kekäläinen, 2002). */
function discountedGain(grades: readonly number[]): number {
  return grades
    .slice(0, 10)
    .reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

async function whenReady(): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    try {
      if ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok) return;
    } catch {
      // Not listening yet.
    }
    await delay(100);
  }
  throw new Error('The server did not start within two minutes.');
}
