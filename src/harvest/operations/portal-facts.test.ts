import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { AxisDefinition } from './definition.ts';
import { axisDefinitions } from './definitions.ts';
import { isLongForm } from '../../../test/long-form.ts';

/** File with facts about the operations, gathered outside of the repository. */
const facts = resolve(import.meta.dirname, '../../../../shared/portal/axes.json');

interface OperationFacts {
  readonly code: string;
  readonly titleKo: string;
  readonly portalId: string;
  readonly path: string;
  readonly params: readonly { readonly name: string; readonly required?: boolean }[];
  readonly paging: { readonly maxRows?: number | null };
  readonly fields: readonly FieldFacts[];
  readonly naturalKey: readonly string[];
  readonly quota: { readonly dev?: number } | string;
}

interface FieldFacts {
  readonly name: string;
  readonly labelKo: string;
  readonly conf?: string;
}

const skip = existsSync(facts) ? false : 'The facts about the portal are absent.';

if (isLongForm)
  test('every definition matches the known facts of its operation', { skip }, () => {
    const known = JSON.parse(readFileSync(facts, 'utf8')) as OperationFacts[];
    assert.equal(known.length, axisDefinitions.length);
    for (const fact of known) {
      const axis = axisDefinitions.find(({ code }) => code === fact.code)!;
      assert.deepEqual(
        [axis.path, axis.portalId, axis.title],
        [fact.path, fact.portalId, fact.titleKo],
      );
      assert.deepEqual(axis.keyFields, fact.naturalKey.map(fieldOf), axis.code);
      checkFields(axis, fact);
      checkParameters(axis, fact);
      assert.ok(axis.paging.pageSize <= (fact.paging.maxRows ?? axis.paging.pageSize), axis.code);
      assert.equal(axis.dailyQuota, quotaOf(fact) ?? axis.dailyQuota, axis.code);
    }
  });

/** Name of a field; `(request areaCode)` stands for one that only the request has. */
function fieldOf(name: string): string {
  return /^\(request (\w+)\)$/.exec(name)?.[1] ?? name;
}

/** Checks that the axis has all fields, with the portal's labels; others are marked as inferred. */
function checkFields(axis: AxisDefinition, { fields }: OperationFacts): void {
  const stamped = axis.enumeration.flatMap((loop) =>
    'stamp' in loop ? Object.keys(loop.stamp ?? {}) : [],
  );
  const names = axis.fields.map(({ name }) => name);
  const known = fields.map(({ name }) => name);
  const added = names.filter((name) => !known.includes(name));
  assert.deepEqual(
    names.filter((name) => !added.includes(name)),
    known,
    axis.code,
  );
  for (const name of added) assert.ok(stamped.includes(name), `${axis.code}.${name}`);
  for (const { name, labelKo, conf } of fields) {
    const field = axis.fields.find((each) => each.name === name)!;
    const isKorean = /[가-힣]/.test(labelKo);
    if (isKorean) assert.equal(field.label, labelKo, `${axis.code}.${name}`);
    if (conf === 'guess' || !isKorean)
      assert.equal(field.labelSource, 'inferred', `${axis.code}.${name}`);
  }
}

/** Checks that requests send only parameters of the operation, and all required ones. */
function checkParameters(axis: AxisDefinition, { params }: OperationFacts): void {
  const loopParameters = axis.enumeration.flatMap((loop) => {
    if (loop.kind === 'records' || loop.kind === 'list') return Object.keys(loop.take);
    if (loop.kind === 'values' || loop.kind === 'walk') return loop.parameters;
    if ('from' in loop) return [loop.from, loop.to];
    return loop.kind === 'hours' ? [loop.date, loop.time] : [loop.parameter];
  });
  const { page, size } = axis.paging;
  const json = axis.json === null ? [] : [axis.json.parameter];
  const sent = [
    ...Object.keys(axis.parameters),
    ...loopParameters,
    ...json,
    page,
    size,
    axis.keyParameter,
  ];
  const names = params.map(({ name }) => name.toLowerCase());
  for (const name of sent) {
    // Some lists of parameters lack the switch to JSON.
    const isListed = json.includes(name) || names.includes(name.toLowerCase());
    assert.ok(isListed, `${axis.code}: ${name}`);
  }
  for (const { name, required } of params) {
    if (required === true) assert.ok(isSent(sent, name), `${axis.code} needs ${name}`);
  }
}

/** True if a parameter is sent; the key is spelled in two ways. */
function isSent(sent: readonly string[], name: string): boolean {
  return (
    sent.includes(name) ||
    (/^servicekey$/i.test(name) && sent.some((each) => /^servicekey$/i.test(each)))
  );
}

/** Daily quota of a development account; null without a single number. */
function quotaOf({ quota }: OperationFacts): number | null {
  if (typeof quota !== 'string') return quota.dev ?? null;
  const stated = /^development ([\d,]+)\/day/.exec(quota)?.[1];
  return stated === undefined ? null : Number(stated.replaceAll(',', ''));
}
