import assert from 'node:assert/strict';
import test from 'node:test';
import { institutionInTitle } from './institutions.ts';

test('a title that begins with a known institution names its maker', () => {
  const table: readonly (readonly [title: string, maker: string | null])[] = [
    ['소방청 화재통계', '소방청'],
    ['한국승강기안전공단_국내 승강기 보유 현황', '한국승강기안전공단'],
    ['인천광역시 중구_공영주차장 현황', '인천광역시 중구'],
    ['부산광역시 차선정보', '부산광역시'],
    ['서울 지하철 노선', null],
    ['전국주차장정보표준데이터', null],
    ['소방청장 표창', null],
    ['', null],
  ];
  for (const [title, maker] of table) assert.equal(institutionInTitle(title), maker, title);
});
