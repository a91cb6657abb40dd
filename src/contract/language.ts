/** Languages of the service's texts. */
export type Language = 'ko' | 'en';

/** The same text in both languages. */
export interface BilingualText {
  readonly ko: string;
  readonly en: string;
}
