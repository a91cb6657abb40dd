import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { pageSite } from '../../../test/fixtures/pages.ts';
import { fileSizes } from './file-sizes.ts';

test('the estimated size of a workbook of sorted records is within 15 % of the file', async () => {
  const { axes, snapshot } = fixtureStore();
  const total = 3_000;
  const stored = { ...axes.get('file_15012896')!, rows: total };
  // Neighbours share an owner and a street, as the records of a sorted source do.
  const rows = Array.from({ length: total }, (_, at) => ({
    관리번호: String(at),
    주차장명: `${hash('md5', `owner ${Math.floor(at / 3)}`)} ${at}호`,
    소재지도로명주소: `${hash('sha256', `street ${Math.floor(at / 3)}`)} ${at % 3}`,
  }));
  const store = new MemoryStore({ snapshot, axes: [{ stored, rows, regionsOfRows: [] }] });
  const { xlsx } = await fileSizes(stored, stored.fields, store);
  const file = await request(pageSite(store), '/api/export/file_15012896.xlsx');
  const { byteLength } = await file.arrayBuffer();
  const estimate = xlsx!.fixed + xlsx!.perRow * total;
  assert.ok(Math.abs(estimate / byteLength - 1) < 0.15, `${estimate} for ${byteLength}`);
});
