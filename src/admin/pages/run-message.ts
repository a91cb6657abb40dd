import { findingName } from '../../web/explorer/finding-names.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml, formatNumber } from '../../web/layout.ts';
import type { openDataReads } from '../api/open-data.ts';
import { breakableText } from './table.ts';
import type { View } from './view.ts';

type Run = Awaited<ReturnType<typeof openDataReads.collections>>['items'][number];

/**
 * Outcome of a run. On a Korean page, its findings and the command to run next are in Korean, above the program's own
 * message, which is English and has the details.
 */
export function runMessage({ language }: Pick<View, 'language'>, run: Run): Html {
  const { findings, message } = run;
  const original = message === null ? emptyHtml : breakableText(message);
  if (language === 'en') return findings.length === 0 && message === null ? html`–` : original;
  const parts = [
    ...findings.map(({ kind, count }) => `${findingName(kind, language)} ${formatNumber(count)}`),
    ...nextSteps(message ?? ''),
  ];
  if (parts.length === 0 && message === null) return html`–`;
  return html`<span class="long">${parts.join(' · ')}</span>
    ${message === null ? null : html`<p class="quiet" lang="en">${original}</p>`}`;
}

/** Commands that a message names, with their effect in Korean. */
function nextSteps(message: string): string[] {
  return steps.flatMap(([pattern, effect]) => {
    const command = pattern.exec(message)?.[1];
    return command === undefined ? [] : [effect(command)];
  });
}

const steps: readonly (readonly [pattern: RegExp, effect: (command: string) => string])[] = [
  [/`([^`]+)` resumes it/, (command) => `중단됨, ${command} 명령으로 이어서 수집`],
  [/`([^`]+)` publishes the new data/, (command) => `${command} 명령으로 새 데이터를 공개`],
];
