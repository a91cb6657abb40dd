import { eventNames } from '../../members/store/entities.ts';
import type { EventFilter } from '../../members/event-filter.ts';
import { html, type Html } from '../../web/html.ts';
import type { serviceReads } from '../api/service.ts';
import { choiceField } from './filter-fields.ts';
import { wordOf, type View } from './view.ts';
import { words } from './words.ts';

export type Platforms = Awaited<ReturnType<typeof serviceReads.platforms>>['items'];

/** The filter of events, from the query of a page. */
export function eventFilterOf(query: URLSearchParams): Required<EventFilter> {
  return { platform: query.get('platform') || undefined, event: query.get('event') || undefined };
}

/** A form that filters events by platform and by kind. */
export function eventFilterForm(view: View, platforms: Platforms, action: string): Html {
  const { text, query } = view;
  const { platform, event } = eventFilterOf(query);
  const all = { value: '', label: text('전체', 'All') };
  const choices = {
    platforms: [all, ...platforms.map(({ code, name }) => ({ value: code, label: name }))],
    events: [
      all,
      ...eventNames.map((name) => ({ value: name, label: wordOf(view, words.event, name) })),
    ],
  };
  return html`<form method="get" action="${action}" class="fields inline filter">
    ${choiceField('platform', text('플랫폼', 'Platform'), choices.platforms, platform)}
    ${choiceField('event', text('이벤트', 'Event'), choices.events, event)}
    <p class="act"><button type="submit">${text('보기', 'Show')}</button></p>
  </form>`;
}
