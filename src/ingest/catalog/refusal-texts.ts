import type { BilingualText } from '../../contract/language.ts';

/** Sentences of the refusals of catalog lists, in both languages. */
export const catalogRefusalTexts = {
  notList: (columns: readonly string[]): BilingualText => ({
    ko: `포털의 데이터셋 목록이 아닙니다. 없는 열: ${columns.join(', ')}. data.go.kr에서 목록개방현황(데이터셋 15062804)을 내려받아 불러오세요.`,
    en: `This is not a dataset list of the portal: it has no column ${columns.join(', ')}. Download 목록개방현황 (dataset 15062804) from data.go.kr and load that file.`,
  }),
} as const;
