import { dayMs } from '../../data/korean-time.ts';
import { html, type Html } from '../../web/html.ts';
import { platformHealth } from '../api/platform-health.ts';
import { openDataReads } from '../api/open-data.ts';
import { serviceReads } from '../api/service.ts';
import { auditedSuspicions } from './suspicions.ts';
import { size } from './table.ts';
import { deliveryStatus } from './webhooks.ts';
import { wordOf, type View } from './view.ts';
import { words } from './words.ts';

/** Problems that need an operator, each with a link to its page. */
export async function attentionSection(view: View): Promise<Html> {
  const { text } = view;
  const notes = await Promise.all([
    suspectedSessions(view),
    suspicions(view),
    keysInBrowsers(view),
    undeliveredMessages(view),
    failedJobs(view),
    failedCollections(view),
    lowDiskSpace(view),
    oldBackup(view),
    silentPlatforms(view),
    disabledPlatforms(view),
  ]).then((lists) => lists.flat());
  return html`<section class="attention ${notes.length === 0 ? '' : 'some'}">
    <h2>${text('확인할 일', 'Needs attention')}</h2>
    ${
      notes.length === 0
        ? html`<p class="quiet">${text('없습니다.', 'Nothing.')}</p>`
        : html`<ul>
            ${notes.map((note) => html`<li><a href="${note.href}">${note.text}</a></li>`)}
          </ul>`
    }
  </section>`;
}

interface Note {
  readonly text: string;
  readonly href: string;
}

async function suspectedSessions(view: View): Promise<readonly Note[]> {
  const { items } = await serviceReads.suspectedSessions(view);
  return items.slice(0, sessionsShownMax).map(({ svc_uid: uid, by }) => {
    const difference = wordOf(view, words.suspicion, by);
    return {
      text: view.text(
        `세션 하나가 같은 때에 두 곳에서 사용되었습니다 (${difference}): ${uid}. 토큰이 유출되었을 수 있습니다.`,
        `A session was used from two places at the same time (${difference}): ${uid}. Its token may have been stolen.`,
      ),
      href: `/members/${uid}`,
    };
  });
}

const sessionsShownMax = 5;

async function suspicions(view: View): Promise<readonly Note[]> {
  return (await auditedSuspicions(view)).map((text) => ({ text, href: '/audit' }));
}

async function keysInBrowsers(view: View): Promise<readonly Note[]> {
  const { text } = view;
  const { items } = await serviceReads.keys({ ...view, parameters: { after: undefined } });
  return items
    .filter(({ status }) => status === 'live' || status === 'ending')
    .filter((key) => key.seen_in_browser !== null)
    .map(({ kid, platform }) => {
      const owner = platform ?? text('운영자', 'operator');
      return {
        text: text(
          `브라우저에서 사용된 API 키: ${kid} (${owner}). 페이지에 들어 있다면 유출된 것입니다.`,
          `API key ${kid} (${owner}) was used in a browser. If a page contains it, it has leaked.`,
        ),
        href: '/keys',
      };
    });
}

async function undeliveredMessages(view: View): Promise<readonly Note[]> {
  const { messages } = await serviceReads.webhooks({ ...view, parameters: { before: undefined } });
  const statuses = messages.map(deliveryStatus);
  const failing = statuses.filter((status) => status === 'failing').length;
  const failed = statuses.filter((status) => status === 'failed').length;
  if (failing + failed === 0) return [];
  const text = view.text(
    `전송하지 못한 웹훅 메시지: 재시도 중 ${failing}건, 실패 ${failed}건.`,
    `Undelivered webhook messages: ${failing} being retried, ${failed} failed.`,
  );
  return [{ text, href: '/webhooks' }];
}

async function failedJobs(view: View): Promise<readonly Note[]> {
  const { items } = await serviceReads.jobs(view);
  const failed = items.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return [];
  const names = failed.map(({ name }) => wordOf(view, words.job, name)).join(', ');
  const text = view.text(`실패한 정리 작업: ${names}.`, `Retention jobs failed: ${names}.`);
  return [{ text, href: '/system' }];
}

async function failedCollections(view: View): Promise<readonly Note[]> {
  const { items } = await openDataReads.collections(view);
  const failed = items.filter(({ state }) => state === 'failed' || state === 'interrupted');
  if (failed.length === 0) return [];
  const axes = failed.slice(0, axesShownMax).map(({ axis }) => axis);
  const list = axes.join(', ') + (failed.length > axesShownMax ? ', …' : '');
  const text = view.text(
    `수집하지 못한 데이터 ${failed.length}건: ${list}`,
    `${failed.length} collections failed: ${list}`,
  );
  return [{ text, href: '/data' }];
}

const axesShownMax = 5;

/** Warns while less than a tenth of the disk is free, because the store cannot write to a full disk. */
async function lowDiskSpace(view: View): Promise<readonly Note[]> {
  const { free_bytes: free, disk_bytes: disk } = await serviceReads.storage(view);
  if (free * 10 >= disk) return [];
  const text = view.text(`디스크 여유 공간: ${size(free)}.`, `Free disk space: ${size(free)}.`);
  return [{ text, href: '/system' }];
}

/**
 * Warns if the last backup by `maru backup` is too old. An operator who never ran it is not warned, and may back up by
 * other means.
 */
async function oldBackup(view: View): Promise<readonly Note[]> {
  const { last_backup_at: at } = await serviceReads.storage(view);
  const days = at === null ? 0 : Math.floor((view.context.now() - Date.parse(at)) / dayMs);
  if (days < backupDaysMax) return [];
  const text = view.text(`마지막 백업: ${days}일 전.`, `Last backup: ${days} days ago.`);
  return [{ text, href: '/system' }];
}

const backupDaysMax = 7;

async function silentPlatforms(view: View): Promise<readonly Note[]> {
  const { items } = await platformHealth.health(view);
  const silent = items.filter(({ state }) => state === 'silent');
  if (silent.length === 0) return [];
  const list = silent
    .map(({ platform, silent_days: days }) =>
      view.text(`${platform} ${days}일`, `${platform} ${days} d`),
    )
    .join(', ');
  const text = view.text(`무소식 플랫폼: ${list}.`, `Silent platforms: ${list}.`);
  return [{ text, href: '/health' }];
}

async function disabledPlatforms(view: View): Promise<readonly Note[]> {
  const { items } = await serviceReads.platforms(view);
  const codes = items.filter(({ disabled }) => disabled).map(({ code }) => code);
  if (codes.length === 0) return [];
  const list = codes.join(', ');
  const text = view.text(`중지된 플랫폼: ${list}.`, `Disabled platforms: ${list}.`);
  return [{ text, href: '/platforms' }];
}
