import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runMessage } from './run-message.ts';

const run = {
  axis: 'file_1',
  origin: 'portal',
  state: 'failed',
  asked_at: '2026-11-20T00:00:00Z',
  finished_at: null,
  rows: null,
  requests: '3/10',
  requests_sent: 3,
  requests_planned: 10,
  progressed_at: null,
} as const;

test('the outcome of a run is Korean on Korean pages, with the words of the program below', () => {
  const message =
    '40 of 100 records are gone. The previous data stays; `./maru collect file_1 --reparse --accept` publishes the new data.';
  const lost = { ...run, message, findings: [{ kind: 'rows_lost', count: 40 }] };
  const korean = runMessage({ language: 'ko' }, lost).markup;
  assert.match(
    korean,
    /레코드가 크게 줄어 이전 자료를 유지 40 · \.\/maru collect file_1 --reparse --accept 명령으로 새 데이터를 공개/,
  );
  assert.match(korean, /lang="en"[^]*40 of 100 records are gone/);
  const english = runMessage({ language: 'en' }, lost).markup;
  assert.match(english, /40 of 100 records are gone/);
  assert.doesNotMatch(english, /[가-힣]/);
  const stopped = { ...run, message: 'Stopped: `./maru collect file_1` resumes it.', findings: [] };
  assert.match(
    runMessage({ language: 'ko' }, stopped).markup,
    /\.\/maru collect file_1 명령으로 이어서/,
  );
  assert.equal(runMessage({ language: 'ko' }, { ...run, message: null, findings: [] }).markup, '–');
});
