import iconv from 'iconv-lite';
import type { Row } from '../listing.ts';
import type { Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Lasting faults in the text of an operation's response; its records are right. */
export const textFaults = {
  text_cp949: {
    summary: 'The body is CP949, under its content type.',
    isLasting: true,
    reply: (reply) => ({
      ...reply,
      type: reply.type.replace('UTF-8', 'EUC-KR'),
      body: iconv.encode(
        String(reply.body).replace('encoding="UTF-8"', 'encoding="EUC-KR"'),
        'cp949',
      ),
    }),
  },
  objects_empty: {
    summary: 'An empty value is `{}` in JSON.',
    isLasting: true,
    reply: editJson((body) => body.replaceAll(':""', ':{}')),
  },
  null_word: {
    summary: 'An empty value is the word `null`.',
    isLasting: true,
    page: (page) => ({ ...page, rows: page.rows.map(fillWithNull) }),
  },
  no_content: {
    summary: 'Without rows the answer has status 204 and no body.',
    isLasting: true,
    reply: (reply) =>
      noRows.test(String(reply.body)) ? { ...reply, status: 204, body: '' } : reply,
  },
  json_control: {
    summary: 'A line break and a tab without escapes stand inside a text of the first row of JSON.',
    isLasting: true,
    reply: editJson((body) => body.replace(firstKoreanText, '$1\n\t$2')),
  },
  json_backslash: {
    summary: 'A lone backslash stands inside a text of the first row of JSON.',
    isLasting: true,
    reply: editJson((body) => body.replace(firstKoreanText, String.raw`$1\가$2`)),
  },
  json_quote: {
    summary: 'A word in quotes without escapes stands inside a text of the first row of JSON.',
    isLasting: true,
    reply: editJson((body) => body.replace(firstKoreanText, '$1"예시"$2')),
  },
} as const satisfies Record<string, Fault>;

/** The first text of two or more syllables in a row; messages of the header are in English. */
const firstKoreanText = /(":"[가-힣])([가-힣])/;
const noRows = /NO_?DATA|"totalCount":"?0\b|<totalCount>0</;

function editJson(edit: (body: string) => string): (reply: Reply) => Reply {
  return (reply) =>
    typeof reply.body === 'string' && /^[{[]/.test(reply.body)
      ? { ...reply, body: edit(reply.body) }
      : reply;
}

function fillWithNull(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === '' ? 'null' : value]),
  );
}
