import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortalError } from '../client/portal-error.ts';
import { axisDefinition } from '../operations/definitions.ts';
import { pageOf, requestsOf } from '../operations/requests.ts';
import { runLimits } from './limits.ts';
import { failureAfter, listNames, requestName } from './request-failed.ts';

test('the name of a request has the parameters in which it differs, and a page after the first', async () => {
  const axis = axisDefinition('gen_detail2')!;
  const context = {
    now: Date.parse('2026-11-21T03:20:00Z'),
    since: null,
    answerRows: () => Promise.resolve([]),
    async *recordsOf() {
      yield await Promise.resolve({ seq: '1234' });
    },
  };
  const names: string[] = [];
  for await (const request of requestsOf(axis, context)) {
    names.push(requestName(axis, request), requestName(axis, pageOf(axis, request, 3)));
  }
  assert.deepEqual(names, ['seq=1234', 'seq=1234 page 3']);
});

test('a list of more than five names has the first five and the number of the others', () => {
  const names = Array.from({ length: 7 }, (_, at) => `seq=${at}`);
  assert.equal(listNames(names.slice(0, 5)), 'seq=0, seq=1, seq=2, seq=3, seq=4');
  assert.equal(listNames(names), 'seq=0, seq=1, seq=2, seq=3, seq=4 and 2 more');
});

test('only the retry at the end of a run counts as a failed run, and makes a refusal final', () => {
  const fault = errorOf('retry', '01');
  const first = failureAfter(null, fault, false);
  assert.equal(first.runs, 0);
  assert.equal(failureAfter(first, fault, true).runs, 1);
  assert.equal(failureAfter({ error: fault, runs: 2 }, fault, false).runs, 2);
  const gone = errorOf('request', 'http_404');
  assert.equal(failureAfter(null, gone, false).runs, 0);
  assert.equal(failureAfter(null, gone, true).runs, runLimits.failedRunsMax);
  assert.equal(failureAfter(null, errorOf('request', '10'), false).runs, runLimits.failedRunsMax);
});

function errorOf(faultClass: 'retry' | 'request', code: string): PortalError {
  return new PortalError({
    code,
    class: faultClass,
    reason: '',
    advice: '',
    operation: 'apis.data.go.kr/operation',
    status: 200,
    attempts: 1,
    retryAt: null,
  });
}
