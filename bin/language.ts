import { Option } from 'commander';
import type { Language } from '../src/contract/language.ts';

/** Option for the language of a report. */
export function languageOption(): Option {
  const help = 'language of the report; by default that of LC_ALL, LC_MESSAGES or LANG';
  return new Option('--language <language>', help).choices(['ko', 'en']);
}

/** Language that the locale variables set: Korean for `ko` or `ko_KR.UTF-8`, otherwise English. */
export function localeLanguage(
  environment: Readonly<Record<string, string | undefined>>,
): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const locale = LC_ALL || LC_MESSAGES || LANG || '';
  return /^ko(?:[_.@-]|$)/i.test(locale) ? 'ko' : 'en';
}
