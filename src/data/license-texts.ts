import type { Language } from '../contract/language.ts';
import type { License } from './axis.ts';

/** Sentence about the uses that a licence allows; the text of the source if the code of the licence is not known. */
export function licenseSentence({ id, name }: License, language: Language): string {
  return licenses[id]?.[language][1] ?? sourceTerms[language](name);
}

/** The official name of a licence; the name in the source if the code of the licence is not known. */
export function licenseName({ id, name }: License, language: Language): string {
  return licenses[id]?.[language][0] ?? name;
}

const sourceTerms = {
  ko: (name: string) => `적혀 있는 조건: ${name}`,
  en: (name: string) => `Terms as given: ${name}`,
} as const;

/** Name and meaning of a licence in both languages. */
type LicenseTexts = Readonly<Record<Language, readonly [name: string, sentence: string]>>;

const licenses: Readonly<Record<string, LicenseTexts>> = {
  'KOGL-0': {
    ko: ['공공누리 제0유형', '조건 없이 쓸 수 있습니다.'],
    en: ['KOGL type 0', 'Free to use.'],
  },
  'KOGL-1': {
    ko: ['공공누리 제1유형', '출처를 밝히면 상업적으로도 쓰고 고칠 수 있습니다.'],
    en: ['KOGL type 1', 'Free to use and change, also commercially, if you name the source.'],
  },
  'KOGL-2': {
    ko: ['공공누리 제2유형', '출처를 밝히고, 비상업적으로만 쓸 수 있습니다.'],
    en: ['KOGL type 2', 'Free for non-commercial use if you name the source.'],
  },
  'KOGL-3': {
    ko: ['공공누리 제3유형', '출처를 밝히면 쓸 수 있지만, 고칠 수는 없습니다.'],
    en: ['KOGL type 3', 'Free to use unchanged if you name the source.'],
  },
  'KOGL-4': {
    ko: ['공공누리 제4유형', '출처를 밝히고 비상업적으로만, 고치지 않고 쓸 수 있습니다.'],
    en: ['KOGL type 4', 'Free for non-commercial use, unchanged, if you name the source.'],
  },
  CC0: {
    ko: ['CC0', '조건 없이 쓸 수 있습니다.'],
    en: ['CC0', 'Free to use.'],
  },
  'CC-BY': {
    ko: ['CC BY', '출처를 밝히면 상업적으로도 쓰고 고칠 수 있습니다.'],
    en: ['CC BY', 'Free to use and change, also commercially, if you name the source.'],
  },
  'CC-BY-SA': {
    ko: ['CC BY-SA', '출처를 밝히면 쓸 수 있고, 고친 것은 같은 조건으로 공개해야 합니다.'],
    en: ['CC BY-SA', 'Free to use if you name the source; publish changes under the same terms.'],
  },
  'CC-BY-ND': {
    ko: ['CC BY-ND', '출처를 밝히면 쓸 수 있지만, 고칠 수는 없습니다.'],
    en: ['CC BY-ND', 'Free to use unchanged if you name the source.'],
  },
  'CC-BY-NC': {
    ko: ['CC BY-NC', '출처를 밝히고, 비상업적으로만 쓸 수 있습니다.'],
    en: ['CC BY-NC', 'Free for non-commercial use if you name the source.'],
  },
  'CC-BY-NC-SA': {
    ko: [
      'CC BY-NC-SA',
      '출처를 밝히고 비상업적으로만 쓸 수 있고, 고친 것은 같은 조건으로 공개해야 합니다.',
    ],
    en: [
      'CC BY-NC-SA',
      'Free for non-commercial use if you name the source; publish changes under the same terms.',
    ],
  },
  'CC-BY-NC-ND': {
    ko: ['CC BY-NC-ND', '출처를 밝히고 비상업적으로만, 고치지 않고 쓸 수 있습니다.'],
    en: ['CC BY-NC-ND', 'Free for non-commercial use, unchanged, if you name the source.'],
  },
  unrestricted: {
    ko: ['이용허락범위 제한 없음', '제한 없이 쓸 수 있습니다.'],
    en: ['No limits of use', 'Free to use without limits.'],
  },
  'third-party-rights': {
    ko: ['제3자의 권리 포함', '다른 사람의 권리가 들어 있습니다. 원본에서 확인하세요.'],
    en: ['Rights of third parties', 'Others hold rights in it; look at the source.'],
  },
};
