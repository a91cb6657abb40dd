import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMemberRows } from '../../bin/member-rows.ts';
import { openMembers } from '../../bin/open-members.ts';
import type { ImportRow } from '../../src/members/import-members.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { maru, program } from './started.ts';

test('JSON lines are read alike wherever the text is cut', async () => {
  const body = fc.record({ email: fc.string(), extra: fc.dictionary(fc.string(), fc.string()) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(body, { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (bodies, cut) => {
        const text = bodies.map((each) => `${JSON.stringify(each)}\n`).join('\n');
        const rows = await rowsOf(piecesOf(text, cut));
        assert.deepEqual(
          rows,
          bodies.map((each, at) => ({ line: at * 2 + 1, body: JSON.parse(JSON.stringify(each)) })),
        );
      },
    ),
  );
});

test('CSV rows are read as bodies by their header', async () => {
  const text =
    '\ufeffemail,local_user_id,email_verified,extra.plan,extra,consents\r\n' +
    'a@example.com,007,TRUE,"monthly, 12","{""since"":2024}","[{""purpose"":""news"",""granted"":true}]"\r\n' +
    '\r\n' +
    'b@example.com,,no,,,\r\n';
  for (const cut of [1, 7, 1_000]) {
    assert.deepEqual(await rowsOf(piecesOf(text, cut)), [
      {
        line: 2,
        body: {
          email: 'a@example.com',
          local_user_id: '007',
          email_verified: true,
          extra: { since: 2024, plan: 'monthly, 12' },
          consents: [{ purpose: 'news', granted: true }],
        },
      },
      { line: 4, body: { email: 'b@example.com', email_verified: 'no' } },
    ]);
  }
});

test('rows that cannot be read are refused by line, and the next ones are read', async () => {
  const long = `{"email":"${'x'.repeat(70_000)}"}`;
  const lines = await rowsOf([
    `{"email":"a@b.example"}\n[1]\n{"email":\n\ufffd{}\n${long}\n{"email":"z"}`,
  ]);
  assert.deepEqual(lines.map(outline), [
    '1',
    '2 malformed_row',
    '3 malformed_row',
    '4 malformed_row',
    '5 malformed_row',
    '6',
  ]);
  const rows = await rowsOf(['email;local_user_id\na@b.example;1\nb;2;3\nc\n"d;4\ne;5\n']);
  assert.deepEqual(rows.map(outline), [
    '2',
    '3 malformed_row',
    '4 malformed_row',
    '5 malformed_row',
    '6',
  ]);
  const [, wide] = rows;
  assert.equal(wide !== undefined && 'row' in wide && wide.row, 'b;2;3');
});

test('a file of another format is refused with what to do', async () => {
  const refusal = (text: string) => rowsOf([text]).then(() => 'read', String);
  assert.match(await refusal('[{"email":"a"}]'), /one object a line/);
  assert.match(await refusal('secret@example.com,1\n'), /must name the columns/);
  assert.doesNotMatch(await refusal('secret@example.com,1\n'), /secret/);
  assert.match(await refusal('email,name\n'), /"name" is unknown.*extra\.NAME/);
  assert.match(await refusal('email,email\n'), /is unknown or repeated/);
  assert.deepEqual(await rowsOf(['\n  \n']), []);
});

test('member import writes refused rows with their reasons, which can be imported once corrected', async () => {
  using folder = temporaryFolder();
  await maru(folder.path, 'platform', 'add', 'books');
  const file = join(folder.path, 'members.csv');
  writeFileSync(file, 'email,local_user_id\na@example.com,1\nwrong,2\n');
  const ran = await importMembers(folder.path, [file, '--json']);
  assert.equal(ran.code, 1, ran.complaint);
  const report = JSON.parse(ran.out) as Record<string, unknown>;
  const path = `${file}.refused.ndjson`;
  assert.deepEqual(
    [report['created'], report['refusals'], report['refused_file']],
    [1, { invalid_email: 1 }, path],
  );
  assert.match(ran.complaint, /^line 3  invalid_email: /m);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const refused = readFileSync(path, 'utf8');
  assert.match(
    refused,
    /^{"email":"wrong","local_user_id":"2","refused":{"line":3,"code":"invalid_email",/,
  );
  const corrected = join(folder.path, 'corrected.ndjson');
  writeFileSync(corrected, refused.replace('wrong', 'b@example.com'));
  const again = await importMembers(folder.path, [corrected]);
  assert.deepEqual([again.code, /1 {2}new members/.test(again.out)], [0, true], again.complaint);
});

test('an import that is killed is resumed without losing or doubling a member', async () => {
  using folder = temporaryFolder();
  await maru(folder.path, 'platform', 'add', 'books');
  const rows = Array.from({ length: 3_000 }, (_, at) =>
    JSON.stringify({ email: at === 700 ? 'wrong' : `u${at}@example.com`, local_user_id: at }),
  );
  const child = spawn(process.execPath, [program, 'member', 'import', '-', '--platform', 'books'], {
    cwd: folder.path,
    env: { MARU_DATA: folder.path },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // The rest of the rows meets a closed pipe.
  child.stdin.on('error', () => {});
  child.stdin.write(rows.map((row) => `${row}\n`).join(''));
  // Printed once the rows up to its group are stored.
  await once(child.stderr, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const file = join(folder.path, 'members.ndjson');
  writeFileSync(file, rows.join('\n'));
  const { out } = await importMembers(folder.path, [file, '--json']);
  const report = JSON.parse(out) as Record<string, number>;
  assert.ok(report['known']! >= 700 && report['created']! > 0, out);
  assert.equal(report['known']! + report['created']!, 2_999);
  await using opened = await openMembers({ MARU_DATA: folder.path });
  const { members, events } = opened.context.store.read;
  assert.equal(await members.count(), 2_999);
  const totals = await events.totals();
  assert.equal(
    totals.reduce((sum, { count }) => sum + count, 0),
    2_999,
  );
});

function outline(row: ImportRow): string {
  return 'code' in row ? `${row.line} ${row.code}` : String(row.line);
}

async function rowsOf(pieces: readonly string[]): Promise<readonly ImportRow[]> {
  async function* stream(): AsyncGenerator<string> {
    yield* pieces;
  }
  const rows: ImportRow[] = [];
  for await (const some of readMemberRows(stream())) rows.push(...some);
  return rows;
}

function piecesOf(text: string, length: number): readonly string[] {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, at) => text.slice(at * length, (at + 1) * length));
}

/** Runs `member import`; resolves to its output and exit code. */
async function importMembers(folder: string, args: readonly string[]) {
  type Result = { readonly code: number; readonly out: string; readonly complaint: string };
  const { promise, resolve } = Promise.withResolvers<Result>();
  const command = [program, 'member', 'import', ...args, '--platform', 'books'];
  execFile(process.execPath, command, { env: { MARU_DATA: folder } }, (error, out, complaint) => {
    resolve({ code: error === null ? 0 : Number(error.code), out, complaint });
  });
  return promise;
}
