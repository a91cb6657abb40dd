import { limit, names } from './lookup-parameters.ts';
import { lookupContract } from './lookup.ts';
import type { ChoiceParameter, PathParameter, Route } from './route.ts';

const axis = {
  kind: 'path',
  required: true,
  purpose: { ko: '축 코드', en: 'Code of the axis' },
} as const satisfies PathParameter;

const lang = {
  kind: 'choice',
  values: ['ko', 'en'],
  purpose: {
    ko: '화면의 언어. 없으면 브라우저의 언어.',
    en: 'Language of the page; that of the browser when absent.',
  },
} as const satisfies ChoiceParameter;

/** Topics by which datasets are listed, in the order of the front page. */
export const datasetTopics = [
  'transport',
  'health',
  'culture',
  'weather',
  'housing',
  'business',
  'elections',
  'safety',
  'calendar',
] as const;

/** Comparisons that the form for a condition offers; the last two take no value. */
export const formComparisons = [
  'is',
  'not',
  'contains',
  'begins',
  'from',
  'above',
  'to',
  'below',
  'empty',
  'filled',
] as const;

const id = {
  kind: 'path',
  required: true,
  purpose: { ko: '레코드의 고정 ID', en: 'Stable id of the record' },
} as const satisfies PathParameter;

const rewrite = {
  kind: 'choice',
  values: ['1', '0'],
  default: '1',
  purpose: {
    ko: '0이면 결과가 없어도 다른 검색어로 바꾸지 않습니다.',
    en: '0 keeps a query without results as it is.',
  },
} as const satisfies ChoiceParameter;

const { parameters: rows } = lookupContract.rows;

/** Parameters that select records. */
const recordSelection = {
  where: rows.where,
  q: rows.q,
  sido: rows.sido,
  sigungu: rows.sigungu,
  near: rows.near,
  radius: rows.radius,
  bbox: rows.bbox,
};
/** Parameters of a chart. */
const chartParameters = {
  by: names(
    '차트의 기준 하나: 필드, year(날짜), month(날짜), day(날짜), _sido, _sigungu. 없으면 데이터에 맞는 것을 고릅니다.',
    'Key of the chart: a field, year(date), month(date), day(date), _sido or _sigungu; one that suits the data when absent.',
  ),
  agg: names(
    '차트의 값 하나: count, sum(필드), avg(필드), min(필드), max(필드), median(필드), distinct(필드). 없으면 count.',
    'Value of the chart: count, sum(f), avg(f), min(f), max(f), median(f) or distinct(f); count when absent.',
  ),
  order: {
    kind: 'choice',
    values: ['largest', 'smallest', 'key'],
    default: 'largest',
    purpose: {
      ko: '먼저 그릴 값. key면 기준의 코드나 이름 순서이고, 시간 기준이면 언제나 날짜순입니다.',
      en: 'Values that come first; with key, the order of codes or names. A chart by time is in order of time.',
    },
  } as const satisfies ChoiceParameter,
};
const chartProblems = ['not_found', 'invalid_parameter', 'invalid_where', 'overloaded'] as const;

/** Pages for readers. Their parameters are those of the API, so that a page and a call differ in their path alone. */
export const pageContract = {
  dataset: {
    method: 'GET',
    path: '/data/{axis}',
    purpose: { ko: '데이터셋 화면', en: 'Page of a dataset' },
    parameters: {
      axis,
      ...recordSelection,
      place: {
        kind: 'text',
        purpose: {
          ko: '가까운 순서를 잴 곳의 이름이나 주소. near가 없으면 그곳의 좌표가 near에 든 주소로 이동합니다.',
          en: 'Name or address of the place that distances are measured from. Without `near` it redirects to the same page with the position in `near`.',
        },
      },
      select: rows.select,
      sort: rows.sort,
      sample: rows.sample,
      seed: rows.seed,
      field: names(
        '분포를 볼 필드의 이름이나 한글 이름.',
        'Name or label of the field whose distribution is shown.',
      ),
      view: {
        kind: 'choice',
        values: ['table', 'chart', 'map'],
        default: 'table',
        purpose: {
          ko: '레코드를 표, 차트, 지도로 보입니다.',
          en: 'Shows the records as a table, a chart or a map.',
        },
      },
      ...chartParameters,
      column: names(
        '조건에 더할 필드의 이름이나 한글 이름. 조건이 where에 든 주소로 이동합니다.',
        'Field of a condition to add, by name or label. Redirects to the same page with the condition added to `where`.',
      ),
      test: {
        kind: 'choice',
        values: formComparisons,
        default: 'is',
        purpose: { ko: '더할 조건의 비교', en: 'Comparison of the condition to add' },
      },
      value: {
        kind: 'text',
        purpose: { ko: '더할 조건의 값', en: 'Value of the condition to add' },
      },
      limit: limit(50, 200),
      offset: rows.offset,
      lang,
    },
    answers: {},
    problems: chartProblems,
  },
  chartImage: {
    method: 'GET',
    path: '/data/{axis}/chart.svg',
    purpose: { ko: '차트의 그림 파일', en: 'Image of a chart' },
    parameters: { axis, ...recordSelection, ...chartParameters, lang },
    answers: {},
    problems: chartProblems,
  },
  chartTable: {
    method: 'GET',
    path: '/data/{axis}/chart.csv',
    purpose: { ko: '차트의 값을 담은 CSV', en: 'Values of a chart as CSV' },
    parameters: { axis, ...recordSelection, ...chartParameters, lang },
    answers: {},
    problems: chartProblems,
  },
  search: {
    method: 'GET',
    path: '/search',
    purpose: { ko: '검색과 데이터셋 목록 화면', en: 'Page of a search, or of all datasets' },
    parameters: {
      q: {
        kind: 'text',
        purpose: {
          ko: '검색어. 없으면 모든 데이터셋을 보입니다.',
          en: 'Search query; without one, all datasets.',
        },
      },
      topic: {
        kind: 'choice',
        values: datasetTopics,
        purpose: { ko: '데이터셋의 주제', en: 'Topic of the datasets' },
      },
      order: {
        kind: 'choice',
        values: ['largest', 'newest', 'title'],
        default: 'largest',
        purpose: { ko: '데이터셋의 순서', en: 'Order of the datasets' },
      },
      rewrite,
      offset: rows.offset,
      lang,
    },
    answers: {},
    problems: ['invalid_parameter', 'overloaded'],
  },
  datasetMarkdown: {
    method: 'GET',
    path: '/data/{axis}.md',
    purpose: {
      ko: '데이터셋의 설명을 Markdown으로. Accept: text/markdown을 보내도 같습니다.',
      en: 'Description of a dataset as Markdown; Accept: text/markdown returns the same.',
    },
    parameters: {
      axis,
      cursor: {
        kind: 'text',
        purpose: {
          ko: '필드가 많을 때 다음 부분을 여는 커서.',
          en: 'Cursor of the next part, where there are many fields.',
        },
      },
      lang,
    },
    answers: {},
    problems: ['not_found', 'stale_cursor'],
  },
  record: {
    method: 'GET',
    path: '/data/{axis}/{id}',
    purpose: { ko: '레코드 한 건의 화면', en: 'Page of a record' },
    parameters: {
      axis,
      id,
      snapshot: {
        kind: 'text',
        purpose: {
          ko: '레코드를 이 스냅샷에 있던 그대로 보입니다. 최근 다섯 스냅샷까지.',
          en: 'Shows the record as this snapshot has it; the last five are stored.',
        },
      },
      lang,
    },
    answers: {},
    problems: ['not_found', 'snapshot_gone', 'invalid_parameter', 'overloaded'],
  },
  region: {
    method: 'GET',
    path: '/region/{code}',
    purpose: { ko: '지역 화면', en: 'Page of a region' },
    parameters: {
      code: {
        kind: 'path',
        required: true,
        purpose: {
          ko: '지역의 코드나 이름. 없어진 지역의 것도 됩니다.',
          en: 'Code or name of a region, current or former',
        },
      },
      with: {
        kind: 'text',
        purpose: {
          ko: '나란히 비교할 지역의 코드나 이름.',
          en: 'Code or name of a region that is shown beside it.',
        },
      },
      offset: rows.offset,
      lang,
    },
    answers: {},
    problems: ['not_found', 'invalid_parameter'],
  },
  demand: {
    method: 'GET',
    path: '/demand',
    purpose: { ko: '검색 수요 화면', en: 'Page of the search demand' },
    parameters: {
      held: lookupContract.demand.parameters.held,
      gap: lookupContract.demand.parameters.gap,
      offset: rows.offset,
      lang,
    },
    answers: {},
    problems: ['invalid_parameter'],
  },
  status: {
    method: 'GET',
    path: '/status',
    purpose: { ko: '현황 화면', en: 'Status page: the state of all data' },
    parameters: { lang },
    answers: {},
    problems: ['invalid_parameter'],
  },
  catalog: {
    method: 'GET',
    path: '/catalog',
    purpose: { ko: '포털 목록 화면', en: "Page of the portal's catalog" },
    parameters: {
      q: lookupContract.catalog.parameters.q,
      type: lookupContract.catalog.parameters.type,
      rewrite,
      offset: lookupContract.catalog.parameters.offset,
      lang,
    },
    answers: {},
    problems: ['invalid_parameter', 'overloaded'],
  },
} as const satisfies Record<string, Route>;
