import { html, type Html } from '../../web/html.ts';
import { emptyHtml } from '../../web/layout.ts';
import { pageScript } from './page-script.ts';
import type { View } from './view.ts';

interface LivePart {
  readonly id: string;
  readonly everyS: number;
  /** Last entry of a list to which new ones are added; null for a part that is replaced. */
  readonly last: string | null;
  /** True if the list may have more new entries than are shown. */
  readonly isFull?: boolean;
}

/**
 * A part of a page that is updated while the page is open: the script fetches the page again and takes the part from
 * it. A button pauses the updates. Without the script, a link loads the page again.
 */
export function livePart(
  { text, path, query }: View,
  { id, everyS, last, isFull = false }: LivePart,
  content: Html,
): Html {
  const search = new URLSearchParams(query);
  for (const name of ['live', 'done', 'lang']) search.delete(name);
  return html`<div
    class="live"
    id="${id}"
    data-every="${everyS}"
    ${isFull ? html`data-full` : emptyHtml}
    ${last === null ? emptyHtml : html`data-last="${last}"`}
    data-pause="${text('일시 정지', 'Pause')}"
    data-continue="${text('계속', 'Continue')}"
    data-following="${text('자동으로 갱신 중', 'Updating')}"
    data-paused="${text('일시 정지됨', 'Paused')}"
    data-held="${text('표를 보는 동안 갱신하지 않습니다', 'Waiting while you are in the table')}"
    data-lost="${text('연결이 끊겨 다시 시도합니다', 'No connection, trying again')}"
    data-ended="${text('로그인이 만료되어 멈췄습니다', 'Stopped: your session has ended')}"
    data-news="${text('새 항목 {count}건', '{count} new')}"
  >
    <p class="live-bar">
      <a class="button" href="${path}?${search.toString()}">${text('새로 고침', 'Reload')}</a>
      <button type="button" class="plain" hidden>${text('일시 정지', 'Pause')}</button>
      <span class="quiet live-state"></span>
      <span class="spoken" role="status"></span>
    </p>
    <div class="live-content">${content}</div>
  </div>`;
}

/** The last entry that the page of a live request shows; undefined for other requests. */
export function lastSeen({ query }: View): string | undefined {
  return query.get('live') || undefined;
}

export const liveScript = pageScript('live');
