import { problem } from './problem-row.ts';

/** Problems of downloads. */
export const fileProblems = {
  format_unsuitable: problem(400, {
    title: ['이 형식으로 줄 수 없습니다', 'Unsuitable format'],
    remedy: ['detail에 적힌 다른 형식으로 받습니다.', 'Download another format, named in detail.'],
  }),
  range_not_satisfiable: problem(416, {
    title: ['범위가 파일을 벗어났습니다', 'Range not satisfiable'],
    remedy: [
      'Content-Range에 있는 길이 안에서 범위를 정하거나 Range 없이 다시 받습니다.',
      'Choose a range within the length in Content-Range, or download without Range.',
    ],
  }),
} as const;
