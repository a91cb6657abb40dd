import { gzipSync } from 'node:zlib';
import type { Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Temporary faults in the transfer of a correct response, at every host. */
export const byteFaults = {
  truncated: {
    summary: 'The body is cut in half, and Content-Length has the shorter length.',
    reply: (reply) => ({ ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) }),
  },
  reset_midway: {
    summary: 'The connection closes after half of the body.',
    reply: (reply) => ({ ...reply, delivery: 'half' }),
  },
  drip: {
    summary: 'The body comes slowly, in ten pieces.',
    reply: (reply) => ({ ...reply, delivery: 'drip' }),
  },
  gzip: {
    summary: 'The body is compressed, as the header declares.',
    reply: (reply) => compress(reply, (bytes) => bytes),
  },
  gzip_broken: {
    summary: 'The header declares a compressed body, but the stream is broken.',
    reply: (reply) =>
      compress(reply, (bytes) => bytes.fill(0xff, Math.min(12, Math.floor(bytes.length / 2)))),
  },
  wrong_type: {
    summary: 'The content type is text/html although the body is data.',
    reply: (reply) => ({ ...reply, type: 'text/html;charset=UTF-8' }),
  },
  bom: {
    summary: 'A byte order mark stands before the JSON or XML.',
    reply: (reply) =>
      typeof reply.body === 'string' ? { ...reply, body: `\uFEFF${reply.body}` } : reply,
  },
} as const satisfies Record<string, Fault>;

function compress(reply: Reply, spoil: (bytes: Buffer) => Buffer): Reply {
  const body = spoil(gzipSync(reply.body));
  return { ...reply, body, headers: { ...reply.headers, 'content-encoding': 'gzip' } };
}
