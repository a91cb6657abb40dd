import { limit, snapshot } from './lookup-parameters.ts';
import type { Route } from './route.ts';
import { count, envelope, nullable, object, oneOf, origin } from './shapes.ts';
import { Type } from './type.ts';

const suggestAnswer = envelope(
  object({
    /** `reading`: the text in Korean, typed in the other keyboard language or in English (`jongno` → 종로). */
    kind: oneOf(['dataset', 'region', 'name', 'word', 'reading']),
    text: Type.String(),
    query: Type.String(),
    detail: nullable(Type.String()),
    origin: nullable(origin()),
    links: object({ search: Type.String(), self: nullable(Type.String()) }),
  }),
  { q: Type.String(), limit: count() },
);

/** Route of the suggestions for a text that is being typed. */
export const suggestContract = {
  suggest: {
    method: 'GET',
    path: '/api/suggest',
    purpose: {
      ko: '입력 중인 글자에 맞는 데이터셋, 지역, 이름, 낱말',
      en: 'Datasets, regions, names and words for a text that is being typed',
    },
    parameters: {
      q: {
        kind: 'text',
        required: true,
        purpose: {
          ko: '입력 중인 글자. 다 쓰지 않은 글자(도섟), 초성(ㄷㅅㄱ), 한영 전환을 잊은 글자(ehtjrhks)와 로마자 지역명(Gangnam)도 읽습니다.',
          en: 'Text that is being typed: half-typed syllables (도섟), initial consonants (ㄷㅅㄱ), the wrong keyboard language (ehtjrhks) and romanised regions (Gangnam) are understood.',
        },
      },
      limit: limit(10, 20),
      snapshot: snapshot(),
    },
    answers: { 200: suggestAnswer },
    cache: 'data',
    problems: ['missing_parameter', 'invalid_parameter', 'overloaded'],
    examples: [
      {
        target: '/api/suggest?q=도석',
        purpose: { ko: '도서관을 입력하는 중', en: 'While typing 도서관' },
      },
    ],
  },
} as const satisfies Record<string, Route>;
