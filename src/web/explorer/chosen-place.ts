import { linkChips } from '../components/chips.ts';
import { notice } from '../components/notice.ts';
import { panel } from '../components/panel.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import type { DatasetParams, DatasetView, PlaceChoice, PlaceRecord } from './dataset-view.ts';
import { placeWordOf } from './named-place.ts';
import { placeRecords } from './place-records.ts';

/**
 * The place that the parameter `place` or a word before 근처 names: the record at the position `near`, or without a
 * position the one that all records agree on. Null if no place is named.
 */
export async function chosenPlace(
  params: DatasetParams,
  request: Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>,
): Promise<PlaceChoice | null> {
  const { near } = params;
  const name = placeNameIn(params);
  if (name === undefined) return null;
  const { agreed, choices } = await placeRecords(name, request);
  const chosen = near === undefined ? agreed : (choices.find((one) => one.near === near) ?? null);
  // A name beside another position than its own is no name of that position.
  if (near !== undefined && chosen === null) return null;
  return { name, chosen, others: choices.filter((one) => one.near !== chosen?.near) };
}

/** The address with the position of a place in it, and without the words before 근처 that name it. */
export function placeTarget(
  { near }: PlaceRecord,
  params: DatasetParams,
  target: PageRequest['target'],
): string {
  const word = params.q === undefined ? null : placeWordOf(params.q);
  const rest = word === null ? {} : { q: word.rest === '' ? undefined : word.rest };
  return target({ ...rest, place: placeNameIn(params), near, offset: 0, sort: undefined });
}

function placeNameIn({ q, place, near }: DatasetParams): string | undefined {
  const word = q === undefined || near !== undefined ? null : placeWordOf(q);
  return word?.name ?? place;
}

/** The records that a place may be, as links; a warning if there are none. */
export function placeSection(view: DatasetView): Html {
  const { words, place, params } = view;
  if (place === null) return emptyHtml;
  const links = linkChips(
    place.others.map((one) => ({
      text: one.label,
      href: `${placeTarget(one, params, view.target)}#${params.view}`,
    })),
  );
  if (place.chosen === null) {
    return place.others.length === 0
      ? notice('warning', html`<p role="status">${words.placeUnknown(place.name)}</p>`)
      : notice(
          'note',
          html`<p role="status">${words.placeMeant(place.name)}</p>
            ${links}`,
        );
  }
  return place.others.length === 0 ? emptyHtml : panel(words.otherPlaces, links);
}
