import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { isLongForm } from '../long-form.ts';

/**
 * Faults of a page as it is shown: what axe-core finds against WCAG 2.2 AA and its best practices, and a width beyond
 * the screen.
 */
export async function pageFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // Written by the expression.
  return (await page.evaluate(findings)) as string[];
}

/** Compressed, because every page compiles it: half of the text that the package exports as `source`. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Runs in the page. A rule that cannot see what a background is, such as one behind an image, finds nothing. */
const findings = `(async () => {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
  const faults = violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes[0].html.slice(0, 200));
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? [...faults, wide + ' px wide'] : faults;
})()`;

/** Appearances to try a page of a list in: Korean light or English dark in turn, or all four in the long form. */
export function appearancesOf(at: number): readonly Appearance[] {
  return isLongForm ? appearances : [appearances[at % 2 === 0 ? 0 : 3]!];
}

interface Appearance {
  readonly language: 'ko' | 'en';
  readonly colorScheme: 'light' | 'dark';
}

const appearances: readonly Appearance[] = [
  { language: 'ko', colorScheme: 'light' },
  { language: 'ko', colorScheme: 'dark' },
  { language: 'en', colorScheme: 'light' },
  { language: 'en', colorScheme: 'dark' },
];
