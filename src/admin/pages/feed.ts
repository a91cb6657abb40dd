import { html } from '../../web/html.ts';
import { memberReads } from '../api/members.ts';
import { serviceReads } from '../api/service.ts';
import { eventFilterForm, eventFilterOf } from './event-filter-form.ts';
import { lastSeen, livePart, liveScript } from './live-part.ts';
import { id, moment, nextPageLink, tableAlone } from './table.ts';
import { cursorOf, wordOf, type Page } from './view.ts';
import { words } from './words.ts';

/** Events as they arrive, newest first. Pages of earlier events are not updated. */
export const feedPage: Page = async (view) => {
  const { text } = view;
  const filter = eventFilterOf(view.query);
  const before = cursorOf(view, 'before');
  const seen = lastSeen(view);
  const parameters = { ...filter, before, after: seen };
  const { items, next_cursor: cursor } = await memberReads.feed({ ...view, parameters });
  const { items: platforms } = await serviceReads.platforms(view);
  const isNewest = before === undefined;
  const last = String(items[0]?.number ?? seen ?? 0);
  const events = tableAlone(view, {
    caption: text('최근 이벤트', 'Latest events'),
    rows: items,
    file: 'feed',
    empty: text('아직 이벤트가 없습니다.', 'There are no events yet.'),
    columns: [
      [text('받은 시각', 'Received'), (row) => moment(row.received_at, 'second')],
      [text('이벤트', 'Event'), ({ event }) => wordOf(view, words.event, event)],
      [
        text('플랫폼', 'Platform'),
        ({ platform }) => platforms.find(({ code }) => code === platform)?.name ?? platform,
      ],
      [
        text('회원', 'Member'),
        ({ svc_uid: uid }) => html`<a href="/members/${uid}">${id(uid)}</a>`,
      ],
      [text('발생 시각', 'Occurred'), (row) => moment(row.occurred_at, 'second')],
      [text('보낸 곳', 'Source'), ({ source }) => wordOf(view, words.source, source)],
    ],
  });
  return {
    title: text('실시간 이벤트', 'Live events'),
    script: isNewest ? liveScript : null,
    main: html`${eventFilterForm(view, platforms, '/feed')}
    ${isNewest ? livePart(view, { id: 'feed', everyS: 3, last, isFull: cursor !== null }, events) : events}
    ${nextPageLink(
      view,
      '/feed',
      { name: 'before', cursor, query: filter },
      text('이전 이벤트', 'Earlier events'),
    )}`,
  };
};
