import type { View } from './view.ts';

/** Reason of a snapshot, in the language of the page. Snapshots store it in English. */
export function snapshotReason({ language }: Pick<View, 'language'>, reason: string): string {
  if (language === 'en') return reason;
  for (const [pattern, korean] of reasons)
    if (pattern.test(reason)) return reason.replace(pattern, korean);
  return reason;
}

/** Korean texts by pattern. The first match counts, so special patterns come before general ones. */
const reasons: readonly (readonly [pattern: RegExp, korean: string])[] = [
  [
    /^First start: .* and sample data for the rest\.$/,
    '첫 시작: 달력과 지역 표, 나머지는 예시 데이터',
  ],
  [/^First start: .*$/, '첫 시작: 달력과 지역 표'],
  [/^Added the columns that this version needs\.$/, '이 버전에 필요한 열 파일 추가'],
  [/^Loaded a catalog of ([\d,]+) datasets\.$/, '데이터셋 $1개의 목록 적재'],
  [/^Collected a catalog of ([\d,]+) datasets\.$/, '데이터셋 $1개의 목록 수집'],
  [/^Loaded a ranking of ([\d,]+) keywords\.$/, '검색어 $1개의 순위 적재'],
  [/^Collected no new data; the findings about axes changed\.$/, '새 데이터 없이 발견만 갱신'],
  [/^Loaded (.+) and ([\d,]+) more\.$/, '적재: $1 외 $2개'],
  [/^Loaded (.+)\.$/, '적재: $1'],
  [/^Collected (.+) and ([\d,]+) more\.$/, '수집: $1 외 $2개'],
  [/^Collected (.+)\.$/, '수집: $1'],
];
