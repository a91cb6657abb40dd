import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../src/data/axis.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { readRows } from '../src/data/snapshot/records.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import judgements from './relevance/judgements.json' with { type: 'json' };

/**
 * Judged relevance of search: nDCG@10 and the share of queries without a hit, by class, over a data folder with the
 * sample data and the files that `README.md` lists. Half of the queries (`held-out`) must not be looked
 * at while the engine is changed: `relevance.ts DATA [tuned|held-out|all]`. Grades are rules, so that the ideal
 * order is that of all records held.
 */
const [data, set = 'all'] = process.argv.slice(2);
if (data === undefined) throw new Error('Usage: bench/relevance.ts DATA [tuned|held-out|all]');

interface Rule {
  readonly axis?: string;
  readonly all?: Readonly<Record<string, string>>;
  readonly contains?: readonly string[];
  readonly title?: readonly string[];
  readonly grade: number;
}

interface Judgement {
  readonly query: string;
  readonly over: string;
  readonly class: string;
  readonly set: string;
  readonly relevant: readonly Rule[];
}

const chosen = (judgements as unknown as readonly Judgement[]).filter(
  (judgement) => set === 'all' || judgement.set === set,
);
const port = 47_350;
const server = spawn(resolve(import.meta.dirname, '..', 'maru'), ['serve', 'lookup'], {
  env: { ...process.env, MARU_DATA: data, MARU_LOG: 'warning', PORT: String(port) },
  stdio: 'ignore',
});
try {
  await ready();
  const ideals = idealGrades();
  const scores = new Map<string, { queries: number; sum: number; without: number }>();
  for (const [at, judgement] of chosen.entries()) {
    const grades = await gradesOf(judgement);
    const ideal = discountedGain(ideals[at]!);
    const ndcg = ideal === 0 ? 0 : Math.min(1, discountedGain(grades) / ideal);
    for (const key of [judgement.over, `${judgement.over} ${judgement.class}`]) {
      const score = scores.get(key) ?? { queries: 0, sum: 0, without: 0 };
      scores.set(key, {
        queries: score.queries + 1,
        sum: score.sum + ndcg,
        without: score.without + (grades.length === 0 ? 1 : 0),
      });
    }
  }
  for (const [key, { queries, sum, without }] of [...scores].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = `${((100 * without) / queries).toFixed(1)} % without a hit`;
    process.stdout.write(
      `${key.padEnd(24)}${String(queries).padStart(4)}  nDCG@10 ${(sum / queries).toFixed(3)}  ${share}\n`,
    );
  }
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** Grades of the first ten answers; a dataset that is wanted as such counts where the page shows it, first. */
async function gradesOf({ query, over, relevant }: Judgement): Promise<number[]> {
  const path = over === 'catalog' ? '/api/catalog/search' : '/api/data/search';
  const parameters = new URLSearchParams({ q: query, limit: '10', rewrite: '1' });
  const response = await fetch(`http://127.0.0.1:${port}${path}?${parameters.toString()}`);
  const { items, datasets = [] } = (await response.json()) as {
    items: { axis: string; record: Row; title: string }[];
    datasets?: { axis: string | null }[];
  };
  if (over === 'catalog') return items.map(({ title }) => gradeOf(relevant, '', { title }));
  const wholes = relevant.filter((rule) => isWhole(rule) && rule.grade === 3);
  const named = datasets
    .slice(0, 3)
    .filter(({ axis }) => wholes.some((rule) => rule.axis === axis));
  const records = items.map(({ axis, record }) => gradeOf(relevant, axis, record));
  return [...named.map(() => 3), ...records].slice(0, 10);
}

function gradeOf(rules: readonly Rule[], axis: string, record: Row): number {
  return Math.max(0, ...rules.filter((rule) => fits(rule, axis, record)).map(({ grade }) => grade));
}

function fits(rule: Rule, axis: string, record: Row): boolean {
  if (rule.title !== undefined)
    return rule.title.every((part) => String(record['title']).includes(part));
  if (rule.axis !== '*' && rule.axis !== axis) return false;
  const isFieldWrong = ([name, part]: [string, string]): boolean =>
    !String(record[name] ?? '').includes(part);
  if (Object.entries(rule.all ?? {}).some(isFieldWrong)) return false;
  const values = Object.values(record).map((value) => String(value ?? ''));
  return (rule.contains ?? []).every((part) => values.some((value) => value.includes(part)));
}

function isWhole({ all, contains, title }: Rule): boolean {
  return all === undefined && contains === undefined && title === undefined;
}

/** The ten best grades among all records held, for each query. */
function idealGrades(): number[][] {
  using opened = OpenedSnapshot.open(data!, currentId(data!)!);
  const ideals = chosen.map((): number[] => []);
  const add = (axis: string, records: Iterable<Row>, over: string): void => {
    const open = chosen.flatMap(({ relevant, over: of }, at) => {
      const rules = relevant.filter(
        (rule) => rule.axis === axis || rule.axis === '*' || rule.title,
      );
      return of === over && rules.length > 0 ? [{ at, rules }] : [];
    });
    for (const record of records) {
      for (const { at, rules } of open) {
        const ideal = ideals[at]!;
        if (ideal.length === 10 && ideal[9] === 3) continue;
        const grade = gradeOf(rules, axis, record);
        if (grade === 0 || (ideal.length === 10 && ideal[9]! >= grade)) continue;
        ideal.push(grade);
        ideal.sort((a, b) => b - a);
        ideal.length = Math.min(10, ideal.length);
      }
    }
  };
  for (const code of opened.axes.keys()) add(code, readRows(opened.part(code).records), 'data');
  if (opened.catalog !== null) add('', readRows(opened.catalog.part.records), 'catalog');
  return ideals;
}

/** Discounted cumulative gain of graded answers (Järvelin and Kekäläinen, 2002). */
function discountedGain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

async function ready(): Promise<void> {
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
