import { problem } from './problem-row.ts';

/** Problems of downloads. */
export const fileProblems = {
  format_unsuitable: problem(400, {
    title: ['이 형식으로 줄 수 없습니다', 'Unsuitable format'],
    remedy: [
      'detail에 적힌 다른 형식으로 받습니다.',
      'Download another format, named in “detail”.',
    ],
  }),
  search_too_large: problem(400, {
    title: ['검색 결과가 한 파일에 담기에 많습니다', 'Too many results for one file'],
    remedy: [
      '검색어나 지역을 더해 10,000건 안으로 줄이거나, 데이터셋별로 /api/export/{축}에서 받습니다.',
      'Add words or a region until 10,000 records or fewer are left, or download each dataset from /api/export/{axis}.',
    ],
  }),
  range_not_satisfiable: problem(416, {
    title: ['범위가 파일을 벗어났습니다', 'Range not satisfiable'],
    remedy: [
      'Content-Range에 있는 길이 안에서 범위를 정하거나 Range 없이 다시 받습니다.',
      'Choose a range within the length in Content-Range, or download without Range.',
    ],
  }),
} as const;
