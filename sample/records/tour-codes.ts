import codes from './tour-codes.json' with { type: 'json' };

/** Areas by the tourism organisation's own numbers, each with the code of its current sido. */
export const tourAreas: readonly TourArea[] = codes.areas.map(
  ([code = '', name = '', sido = '']) => ({ code, name, sido }),
);

interface TourArea {
  readonly code: string;
  readonly name: string;
  readonly sido: string;
}

/**
 * The categories in use since 2010, each with its successor in the new classification. The old codes are those of the
 * manuals; the small codes of the new classification are invented.
 */
export const tourKinds: readonly TourKind[] = codes.kinds.flatMap(
  ({ contentType, code1, name1, code2, name2, main, middle, middleName, thirds }) =>
    thirds.map(([digits = '', name = ''], index): TourKind => ({
      contentType,
      cat1: { code: code1, name: name1 },
      cat2: { code: code2, name: name2 },
      cat3: { code: `${code2}${digits}`, name },
      system: [
        { code: middle.slice(0, 2), name: main },
        { code: middle, name: middleName },
        { code: `${middle}${String(index + 1).padStart(2, '0')}00`, name },
      ],
    })),
);

interface TourKind {
  /** 12 관광지, 14 문화시설, 15 축제·공연·행사, 25 여행코스, 28 레포츠, 32 숙박, 38 쇼핑, 39 음식점. */
  readonly contentType: string;
  readonly cat1: TourCode;
  readonly cat2: TourCode;
  readonly cat3: TourCode;
  /** The new classification: main, middle and small code. */
  readonly system: readonly [TourCode, TourCode, TourCode];
}

export interface TourCode {
  readonly code: string;
  readonly name: string;
}
