import groups from './trades.json' with { type: 'json' };

/**
 * Trades of the shop list: codes and names of the classification in use since 2022, as far as they are common
 * knowledge. The real table is about twice as long.
 */
export const trades: readonly Trade[] = groups.flatMap(({ names, ...group }) =>
  names.map((name, index) => ({
    ...group,
    code: `${group.middleCode}${String(index + 1).padStart(2, '0')}`,
    name,
  })),
);

export interface Trade {
  readonly largeCode: string;
  readonly largeName: string;
  readonly middleCode: string;
  readonly middleName: string;
  readonly code: string;
  readonly name: string;
}
