import { size } from './table.ts';
import { wayOf } from './webhooks.ts';
import { rowsOf, textOf, wordOf, type View } from './view.ts';
import { words } from './words.ts';
import { html, type Html } from '../../web/html.ts';

/** What an operator should look at, each with where; that there is nothing is said too. */
export async function attention(view: View): Promise<Html> {
  const { say } = view;
  const matters = [
    ...(await keysInBrowsers(view)),
    ...(await undelivered(view)),
    ...(await failedWork(view)),
    ...(await fullDisk(view)),
    ...(await disabledPlatforms(view)),
  ];
  return html`<section class="attention ${matters.length === 0 ? '' : 'some'}">
    <h2>${say('살펴볼 것', 'To look at')}</h2>
    ${
      matters.length === 0
        ? html`<p class="quiet">${say('없습니다.', 'Nothing.')}</p>`
        : html`<ul>
            ${matters.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}
          </ul>`
    }
  </section>`;
}

interface Matter {
  readonly text: string;
  readonly href: string;
}

async function keysInBrowsers({ ask, say }: View): Promise<readonly Matter[]> {
  const keys = rowsOf((await ask('keys'))['items']);
  return keys
    .filter(
      (key) =>
        ['live', 'ending'].includes(textOf(key['status'])) && key['seen_in_browser'] !== null,
    )
    .map(({ kid, platform }) => {
      const whose = textOf(platform) || say('운영자', 'operator');
      return {
        text: say(
          `브라우저에서 쓰인 키: ${textOf(kid)} (${whose}). 페이지에 들어 있다면 유출된 것입니다.`,
          `Key ${textOf(kid)} (${whose}) was used in a browser. If it lies in a page, it has leaked.`,
        ),
        href: '/keys',
      };
    });
}

async function undelivered({ ask, say }: View): Promise<readonly Matter[]> {
  const messages = rowsOf((await ask('webhooks'))['messages']).map(wayOf);
  const count = (way: string) => messages.filter((one) => one === way).length;
  const [given, failing] = [count('given_up'), count('failing')];
  if (given + failing === 0) return [];
  const text = say(
    `전하지 못한 웹훅: 다시 시도하는 것 ${failing}건, 포기한 것 ${given}건.`,
    `Webhooks not delivered: ${failing} being tried again, ${given} given up.`,
  );
  return [{ text, href: '/webhooks' }];
}

async function failedWork(view: View): Promise<readonly Matter[]> {
  const { ask, say } = view;
  const jobs = rowsOf((await ask('jobs'))['items']).filter(({ failure }) => failure !== null);
  const runs = rowsOf((await ask('collections'))['items']);
  const failed = runs.filter(({ state }) => state === 'failed' || state === 'interrupted');
  const names = jobs.map(({ name }) => wordOf(view, words.job, name)).join(', ');
  const axes = failed
    .map(({ axis }) => textOf(axis))
    .slice(0, 5)
    .join(', ');
  return [
    ...(jobs.length === 0
      ? []
      : [
          {
            text: say(`실패한 정리 작업: ${names}.`, `Retention jobs failed: ${names}.`),
            href: '/jobs',
          },
        ]),
    ...(failed.length === 0
      ? []
      : [
          {
            text: say(
              `수집하지 못한 데이터 ${failed.length}건: ${axes}.`,
              `Not collected, ${failed.length}: ${axes}.`,
            ),
            href: '/jobs',
          },
        ]),
  ];
}

/** The store refuses to write when nothing is left: a tenth is time enough to act. */
async function fullDisk({ ask, say }: View): Promise<readonly Matter[]> {
  const { free_bytes: free, disk_bytes: disk } = await ask('storage');
  if (Number(free) * 10 >= Number(disk)) return [];
  const text = say(`디스크에 남은 자리: ${size(free)}.`, `Left on the disk: ${size(free)}.`);
  return [{ text, href: '/jobs' }];
}

async function disabledPlatforms({ ask, say }: View): Promise<readonly Matter[]> {
  const platforms = rowsOf((await ask('platforms'))['items']);
  const codes = platforms
    .filter(({ disabled }) => disabled === true)
    .map(({ code }) => textOf(code));
  if (codes.length === 0) return [];
  const list = codes.join(', ');
  return [
    { text: say(`중지된 플랫폼: ${list}.`, `Platforms disabled: ${list}.`), href: '/platforms' },
  ];
}
