import type { UnlinkedDemand } from '../../data/demand.ts';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { openTables } from '../files/open.ts';
import { computeIndexes } from './chain.ts';
import { readRankingList } from './list.ts';
import { readMeasurements } from './measurement.ts';
import { rankScores, type DemandReport } from './ranking.ts';

/**
 * Reads a demand ranking from one of two formats: raw responses of Naver's search trend service as JSON, from which
 * the index is computed, or a list `keyword,index` in any table format. Throws an Error with the expected format.
 */
export async function readDemand(path: string, report: DemandReport): Promise<UnlinkedDemand> {
  const document = await readJson(path);
  if (document !== undefined) return measuredDemand(document, report);
  for await (const table of openTables(path, {}, () => {})) {
    return readRankingList(table, `list ${basename(path)}`, report);
  }
  throw new Error(`${path} has no table; give a CSV with the columns keyword and index.`);
}

/** Enough for the maximum number of measurements: a raw response has about 2 KB. */
const demandBytesMax = 128 * 1024 * 1024;

async function readJson(path: string): Promise<unknown> {
  await using file = await open(path);
  const head = await file.read({ buffer: Buffer.alloc(64), position: 0 });
  const start = head.buffer
    .toString('utf8', 0, head.bytesRead)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start[0] !== '[' && start[0] !== '{') return undefined;
  const { size } = await file.stat();
  if (size > demandBytesMax) {
    throw new Error(
      `${path} has ${size} bytes; at most ${demandBytesMax} are read. Split it by anchor.`,
    );
  }
  const text = (await file.readFile('utf8')).replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path} begins like JSON but is not valid JSON. Download it again.`;
    throw new Error(message, { cause });
  }
}

function measuredDemand(document: unknown, report: DemandReport): UnlinkedDemand {
  const { anchor: givenAnchor, measurements } = readMeasurements(document, report);
  const anchor = givenAnchor ?? measurements[0]?.groups[0]?.keyword;
  if (anchor === undefined)
    throw new Error(
      'None of the measurements can be used; the lines above give the reason for each.',
    );
  if (!measurements.some(({ groups }) => groups.some(({ keyword }) => keyword === anchor))) {
    throw new Error(`The anchor "${anchor}" is in none of the measurements: name a measured one.`);
  }
  return rankScores(
    anchor,
    {
      source: 'Naver search trend (DataLab)',
      unit: `relative search volume, ${anchor} = 100`,
      period: {
        from: measurements.map(({ from }) => from).sort()[0] ?? '',
        to:
          measurements
            .map(({ to }) => to)
            .sort()
            .at(-1) ?? '',
        timeUnit: measurements[0]?.timeUnit ?? 'date',
      },
      note:
        `Sum of ratios over the sum of the anchor’s in the same request, chained over anchors, geometric ` +
        `mean over windows; ${measurements.length} requests. Never an absolute volume.`,
    },
    computeIndexes(anchor, measurements, report),
  );
}
