import { gzipSync } from 'node:zlib';
import type { Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Faults in how a right answer is written and sent. */
export const byteFaults = {
  one_row_object: {
    what: 'A single row is the object itself where the operation otherwise gives a list.',
    stays: false,
    family: (family) => ({ ...family, oneIsObject: true }),
  },
  items_empty_text: {
    what: 'No rows are written as `"items": ""`, with a body and the code of success.',
    stays: false,
    family: (family) => ({ ...family, empty: 'text', noData: null }),
  },
  total_other_type: {
    what: 'Counters are texts where they otherwise are numbers, and the other way round.',
    stays: false,
    family: (family) => ({ ...family, counters: family.counters === 'text' ? 'number' : 'text' }),
  },
  numbers_as_text: {
    what: 'Every value is a text in JSON.',
    stays: false,
    family: (family) => ({ ...family, values: 'text' }),
  },
  truncated: {
    what: 'The body ends in the middle, and the length in the header agrees.',
    stays: false,
    reply: (reply) => ({ ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) }),
  },
  reset_midway: {
    what: 'The connection closes after half of the body.',
    stays: false,
    reply: (reply) => ({ ...reply, delivery: 'half' }),
  },
  drip: {
    what: 'The body comes slowly, in ten pieces.',
    stays: false,
    reply: (reply) => ({ ...reply, delivery: 'drip' }),
  },
  gzip: {
    what: 'The body is compressed, as the header says.',
    stays: false,
    reply: (reply) => compressed(reply, (bytes) => bytes),
  },
  gzip_broken: {
    what: 'The body is said to be compressed, but the stream is broken.',
    stays: false,
    reply: (reply) =>
      compressed(reply, (bytes) => bytes.fill(0xff, Math.min(12, Math.floor(bytes.length / 2)))),
  },
  wrong_type: {
    what: 'The content type is text/html although the body is data.',
    stays: false,
    reply: (reply) => ({ ...reply, type: 'text/html;charset=UTF-8' }),
  },
  bom: {
    what: 'A byte order mark stands before the JSON or XML.',
    stays: false,
    reply: (reply) =>
      typeof reply.body === 'string' ? { ...reply, body: `\uFEFF${reply.body}` } : reply,
  },
  old_envelope: {
    what: 'NEC as in 2020: the root is the operation, the names are in capitals with underscores.',
    stays: true,
    reply: (reply, operation) =>
      operation?.family === 'nec' ? inOldEnvelope(reply, operation.path) : reply,
  },
} as const satisfies Record<string, Fault>;

function compressed(reply: Reply, spoil: (bytes: Buffer) => Buffer): Reply {
  const body = spoil(gzipSync(reply.body));
  return { ...reply, body, headers: { ...reply.headers, 'content-encoding': 'gzip' } };
}

interface NecBody {
  response?: {
    header: { resultCode: string; resultMsg: string };
    body?: {
      items: { item: Record<string, unknown>[] | Record<string, unknown> };
      totalCount: unknown;
      numOfRows: unknown;
      pageNo: unknown;
    };
  };
}

function inOldEnvelope(reply: Reply, path: string): Reply {
  if (typeof reply.body !== 'string' || !reply.body.startsWith('{')) return reply;
  // The portal wrote this JSON itself a moment ago.
  const { header, body } = (JSON.parse(reply.body) as NecBody).response ?? {};
  if (header === undefined || body === undefined) return reply;
  const { items, ...counters } = body;
  const item = [items.item]
    .flat()
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [upperSnake(name), value])),
    );
  const root = path.split('/').at(-1) ?? '';
  return { ...reply, body: JSON.stringify({ [root]: { ...header, ...counters, item } }) };
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
