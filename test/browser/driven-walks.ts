import assert from 'node:assert/strict';
import type { Language } from '../../src/contract/language.ts';
import { leaveBy, until, type DrivenBrowser, type DrivenTab } from './driven-browser.ts';
import { startWalkScene } from './walk-scene.ts';
import { textIn, walks, type Place, type Walk } from './walks.ts';

type Step = (stack: AsyncDisposableStack, browser: DrivenBrowser) => Promise<void>;

/** The walks as steps for any driven browser, in both languages. Scripts press elements and fetch files. */
export async function drivenWalks(
  stack: AsyncDisposableStack,
): Promise<Readonly<Record<string, Step>>> {
  const address = await startWalkScene(stack);
  const steps = walks.flatMap((walk) =>
    (['ko', 'en'] as const).map((language): [string, Step] => [
      `${walk.task} (${language})`,
      async (stepStack, browser) => {
        const tab = await browser.openTab();
        stepStack.defer(() => tab.close());
        await tab.goTo(`${address}/?lang=${language}`);
        await takeWalk(walk, tab, language);
      },
    ]),
  );
  return Object.fromEntries(steps);
}

async function takeWalk(walk: Walk, tab: DrivenTab, language: Language): Promise<void> {
  const typed = JSON.stringify(textIn(walk.typed, language));
  const box = `document.querySelector('main input[name="q"]')`;
  await leaveBy(tab, `(${box}.value = ${typed}, ${box}.form.requestSubmit())`);
  for (const place of walk.presses) await press(place, walk, tab, language);
  for (const place of walk.answer) await find(place, tab, language);
  if (walk.address !== undefined) {
    assert.match(String(await tab.run('location.href')), walk.address);
  }
}

async function press(place: Place, walk: Walk, tab: DrivenTab, language: Language): Promise<void> {
  const found = await find(place, tab, language);
  const kind = await tab.run(`${found}.hasAttribute('download') ? 'file'
    : ${found}.href && !${found}.getAttribute('href').startsWith('#') ? 'page' : 'part'`);
  if (kind === 'page') await leaveBy(tab, `${found}.click()`);
  else if (kind === 'part') await tab.run(`(${standHere}, ${found}.click(), null)`);
  else {
    const disposition = await tab.run(
      `fetch(${found}.href).then(({ headers }) => headers.get('Content-Disposition'))`,
    );
    assert.match(decodeURIComponent(String(disposition)), walk.file!);
  }
}

/** Sets the position of the browser, which it does not get from its system. */
const standHere = `navigator.geolocation.getCurrentPosition = (use) =>
  use({ coords: { latitude: 37.594, longitude: 126.977 } })`;

/** Waits for an element, and returns an expression that finds it. */
async function find({ css, text }: Place, tab: DrivenTab, language: Language): Promise<string> {
  const wantedText = JSON.stringify(text === undefined ? '' : textIn(text, language).toLowerCase());
  const found = `[...document.querySelectorAll(${JSON.stringify(css)})]
    .find(({ textContent }) => textContent.replace(/\\s+/g, ' ').toLowerCase().includes(${wantedText}))`;
  await until(() => tab.run(`${found} !== undefined`));
  return found;
}
