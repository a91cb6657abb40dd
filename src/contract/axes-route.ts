import { propertyNames, offset, snapshot } from './lookup-parameters.ts';
import type { Route } from './route.ts';
import * as schemas from './schemas.ts';

/** Route of the lookup service that lists the stored axes. */
export const axesContract = {
  axes: {
    method: 'GET',
    path: '/api/axes',
    purpose: { ko: '보유한 모든 축의 목록', en: 'All held axes' },
    parameters: {
      q: {
        kind: 'text',
        purpose: {
          ko: '모든 낱말이 제목, 코드, 제공기관, 번호 중 하나에 있는 축만.',
          en: 'Axes in whose title, code, provider or number every word occurs.',
        },
      },
      origin: {
        kind: 'choice',
        values: ['portal', 'file', 'sample'],
        purpose: { ko: '이 출처의 축만.', en: 'Axes of this origin only.' },
      },
      fields: propertyNames(schemas.axisProperties),
      select: {
        ...propertyNames(schemas.axisProperties),
        purpose: {
          ko: 'fields와 같습니다. 다른 목록에서 쓰는 이름입니다.',
          en: 'The same as fields, by its name in the other lists.',
        },
      },
      limit: {
        kind: 'integer',
        maximum: 1_000,
        purpose: {
          ko: '한 번에 받을 축의 수. 없으면 모두.',
          en: 'Number of axes of a page; all when absent.',
        },
      },
      offset: offset(),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.axesAnswer },
    cache: 'day',
    problems: ['invalid_parameter'],
    examples: [
      { target: '/api/axes', purpose: { ko: '보유한 축 보기', en: 'List the held axes' } },
      {
        target: '/api/axes?q=주차&fields=code,title,rows',
        purpose: { ko: '주제로 찾기', en: 'Find by topic' },
      },
    ],
  },
} as const satisfies Record<string, Route>;
