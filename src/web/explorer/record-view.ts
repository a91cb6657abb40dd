import type { Language } from '../../contract/language.ts';
import type { Row, StoredAxis } from '../../data/axis.ts';
import type { RecordAdditions } from '../../data/columns/record-additions.ts';
import type { PageRequest } from '../serve-page.ts';
import type { recordTexts } from './record-texts.ts';

/** A record with what its page needs. */
export interface RecordView extends PageRequest {
  readonly stored: StoredAxis;
  readonly row: Row;
  readonly additions: RecordAdditions;
  readonly id: string;
  /** True if the address of the page names a snapshot. */
  readonly isPinned: boolean;
  /** Language that the address names, for the addresses of other pages. */
  readonly lang: Language | undefined;
  /** Name of the record; null if it has none. */
  readonly name: string | null;
  readonly words: (typeof recordTexts)[Language];
}
