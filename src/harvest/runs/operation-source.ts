import { dayMs } from '../../data/korean-time.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import { plannedRequests } from '../operations/plan.ts';
import { AxisResponses } from './axis-responses.ts';
import { builtCollection, type AxisContext, type AxisSource } from './axis-source.ts';
import { buildAxis } from './build-axis.ts';
import { collectAxis } from './collect-axis.ts';
import { durationMs } from './due.ts';
import { inspectCollection } from './gates.ts';
import { licenseOfAxis } from './license.ts';
import type { RunContext } from './run-context.ts';
import type { Collection } from './source.ts';
import { builtFolder } from './stored-axes.ts';

/** An operation of the portal as a source. */
export function operationSource(axis: AxisDefinition): AxisSource {
  const { code, title, keeps } = axis;
  return (context) => ({
    code,
    title,
    command: `collect ${code}`,
    keeps,
    skipReason: null,
    plan(time) {
      const { requests, days } = plannedRequests(axis, time);
      return { requests, resumableMs: Math.max(durationMs(axis.schedule), (days + 1) * dayMs) };
    },
    servedOrigin: () => context.stored.served(code)?.axis.origin ?? null,
    collect: (run) => collectOperation(axis, context, run),
  });
}

async function collectOperation(
  axis: AxisDefinition,
  context: AxisContext,
  run: RunContext,
): Promise<Collection<WrittenAxis>> {
  const { data, stored, client } = context;
  const { origin, moment, since } = run;
  const responses = new AxisResponses(axis, run, client);
  const collected = await collectAxis(axis, {
    responses,
    now: moment,
    since,
    recordsOf: (code) => stored.records(code),
    hadRecords: run.createRecordsTest(),
  });
  const served = stored.served(axis.code);
  const predecessor = served?.axis.origin === origin ? served : null;
  const joinedCode = axis.region.join?.axis;
  using previous = predecessor === null ? null : stored.openServed(axis.code);
  using joined = joinedCode === undefined ? null : stored.open(joinedCode);
  const { written, facts } = await buildAxis({
    axis,
    collected,
    responses,
    origin,
    collectedAt: new Date(moment).toISOString(),
    license: licenseOfAxis(data, axis),
    previous,
    joined,
    folder: builtFolder(data, axis.code),
  });
  const findings = inspectCollection(facts, predecessor, run.previousLoss);
  return builtCollection(context, written, predecessor, findings);
}
