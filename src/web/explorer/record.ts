import type { Language } from '../../contract/language.ts';
import { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Field, FieldRole, Row, StoredAxis, Value } from '../../data/axis.ts';
import { koreanDay } from '../../data/korean-time.ts';
import { snapshotsKept } from '../../data/snapshot/snapshots.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { citationOf } from '../../lookup/citation.ts';
import { recordLink } from '../../lookup/endpoints/record.ts';
import { sampleBadge } from '../components/badge.ts';
import { codeSample } from '../components/code-sample.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { phoneLink } from '../components/phone-link.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, page } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { sourceLink } from './dataset-facts.ts';
import { labelIn, titleIn } from './dataset-view.ts';
import type { RecordView } from './record-view.ts';
import { recordName, recordWords } from './record-title.ts';
import { elsewhereSection } from './elsewhere.ts';
import { requireDataset } from './missing.ts';
import { datasetPath, recordPath } from './paths.ts';
import { placeSection } from './record-place.ts';
import { recordTexts } from './record-texts.ts';

type RecordParams = RouteParameters<typeof pageContract.record>;

/** The page of a record by its stable id, current or as an earlier snapshot has it. */
export async function recordPage(params: RecordParams, request: PageRequest): Promise<Document> {
  const { store, language } = request;
  const words = recordTexts[language];
  const id = params.id.toLowerCase();
  const { snapshot = store.snapshot.id } = params;
  const isCurrent = snapshot === store.snapshot.id;
  const currentAxis = requireDataset(params.axis, store);
  const found = isCurrent
    ? await currentRecord(currentAxis, id, request)
    : await store.earlierRecord({ snapshot, code: currentAxis.axis.code, id });
  if (found === null && !isCurrent && !store.snapshotIds().includes(snapshot))
    throw await snapshotGone(snapshot, id, currentAxis, request);
  if (found === null) throw noRecord(currentAxis, { ...params, id });
  const { stored, record, additions } = found;
  const isTotal = additions._total;
  // A store's record is the JSON of a row.
  const row = JSON.parse(record.toString()) as Row;
  const name = recordName(stored, row);
  const view: RecordView = {
    ...request,
    stored,
    row,
    additions,
    id,
    isPinned: params.snapshot !== undefined,
    lang: params.lang,
    name,
    words,
  };
  const { code, origin } = stored.axis;
  const title = titleIn(stored, language);
  const heading = name ?? recordWords(stored, row) ?? words.noName;
  return page({
    language,
    title: `${heading} – ${title}`,
    description: descriptionOf(row, stored, language),
    translationUrl: request.target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: request.absoluteUrl(recordPath(code, id)),
    isUnlisted: origin === 'sample' || !isCurrent,
    width: 'wide',
    search: '',
    head: html`<link rel="stylesheet" href="/assets/map.css" />
      <script type="module" src="/assets/copy.js"></script>
      <script type="module" src="/assets/trail.js"></script>`,
    main: html`
      ${trail(
        words.trail,
        [
          { text: words.home, href: '/' },
          { text: title, href: datasetPath(code, params.lang) },
        ],
        name ?? id,
        words.searchResults,
      )}
      <h1>${heading} ${sampleBadge(origin, language)}</h1>
      ${view.isPinned ? pinnedNotice(view, snapshot, found.builtAt) : emptyHtml}
      ${isTotal ? notice('warning', html`<p>${words.totalWarning}</p>`) : emptyHtml}
      <div class="record">
        ${valueSection(view)}
        <div>
          ${addressSection(view, snapshot)} ${placeSection(view)} ${await elsewhereSection(view)}
          ${citationSection(view, snapshot)}
        </div>
      </div>
      <p role="status" class="spoken"></p>
    `,
  });
}

async function currentRecord(stored: StoredAxis, id: string, { store }: PageRequest) {
  const { code } = stored.axis;
  const row = /^[0-9a-f]{16}$/.test(id) ? await store.rowOf(code, id) : null;
  if (row === null) return null;
  return {
    stored,
    record: store.records(code, [row])[0]!,
    additions: store.additions(code, [row])[0]!,
    builtAt: store.snapshot.builtAt,
  };
}

function noRecord({ axis }: StoredAxis, { id, snapshot }: RecordParams): Problem {
  const texts = (language: Language): string =>
    snapshot === undefined
      ? recordTexts[language].noRecord(id)
      : recordTexts[language].noSnapshot(snapshot);
  const currentPath = snapshot === undefined ? [] : [recordPath(axis.code, id)];
  const suggestions = [...currentPath, datasetPath(axis.code)];
  return new Problem('not_found', { ko: texts('ko'), en: texts('en') }, { extra: { suggestions } });
}

/**
 * The problem for a link to a snapshot that is no longer stored. It suggests the current record, if the axis still has
 * that record, and the dataset.
 */
async function snapshotGone(
  snapshot: string,
  id: string,
  stored: StoredAxis,
  request: PageRequest,
): Promise<Problem> {
  const isThere = (await currentRecord(stored, id, request)) !== null;
  const texts = (language: Language): string => {
    const { gone, stillThere, noLongerThere } = recordTexts[language];
    return `${gone(snapshot)} ${isThere ? stillThere : noLongerThere}`;
  };
  const { code } = stored.axis;
  const suggestions = [...(isThere ? [recordPath(code, id)] : []), datasetPath(code)];
  return new Problem(
    'snapshot_gone',
    { ko: texts('ko'), en: texts('en') },
    { extra: { suggestions } },
  );
}

/** The first values of a record, for previews. */
function descriptionOf(row: Row, { fields }: StoredAxis, language: Language): string {
  return fields
    .flatMap((field) => {
      const value = row[field.name] ?? null;
      return value === null ? [] : [`${labelIn(field, language)}: ${String(value)}`];
    })
    .slice(0, describedMax)
    .join(', ')
    .slice(0, descriptionLengthMax)
    .toWellFormed();
}

const describedMax = 6;
const descriptionLengthMax = 200;

/** The date whose values an address with a snapshot shows, and the way to the current ones. */
function pinnedNotice(view: RecordView, snapshot: string, builtAt: string): Html {
  const { words, stored, store, id, lang } = view;
  const isCurrent = snapshot === store.snapshot.id;
  const href = recordPath(stored.axis.code, id, lang);
  const text = words.pinned(snapshot, koreanDay(builtAt));
  return notice(
    isCurrent ? 'note' : 'warning',
    html`<p>
      ${text} ${isCurrent ? words.notChanged : words.mayHaveChanged}
      <a href="${href}">${words.current}</a>
    </p>`,
  );
}

/** Every field of the record. */
function valueSection({ stored, row, words, language }: RecordView): Html {
  return html`<div class="values">
    ${dataTable({
      caption: words.values,
      columns: [{ heading: html`${words.field}` }, { heading: html`${words.value}` }],
      rows: fieldsForReaders(stored.fields, row).map((field) => [
        html`${labelIn(field, language)}`,
        valueHtml(row[field.name] ?? null, field, words.missing),
      ]),
    })}
  </div>`;
}

function valueHtml(value: Value, { unit, role }: Field, missing: string): Html {
  if (value === null) return html`<span class="quiet">${missing}</span>`;
  const text = String(value);
  if (role === 'phone') return phoneLink(text);
  const shown = /^https?:\/\/\S+$/i.test(text) ? sourceLink(text, text) : html`${text}`;
  return unit === null ? shown : html`${shown} <span class="quiet">${unit}</span>`;
}

/**
 * Fields that readers look for come first, fields that only programs need last, and long keys after them; the others
 * keep the source's order.
 */
function fieldsForReaders(fields: readonly Field[], row: Row): Field[] {
  const placeOf = ({ name, role }: Field): number => {
    if (longKey.test(String(row[name] ?? ''))) return leadingRoles.length + 2;
    const at = leadingRoles.indexOf(role);
    return at >= 0 ? at : leadingRoles.length + (role === 'id' || role === 'code' ? 1 : 0);
  };
  return fields.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** A key without blanks that takes several lines of a phone; an address of the web is none. */
const longKey = /^(?!https?:)[\x21-\x7e]{40,}$/i;

const leadingRoles: readonly (FieldRole | null)[] = ['name', 'address', 'phone'];

/** The address of the record that lasts, and that of its values in the snapshot, with the time that each lasts. */
function addressSection(view: RecordView, snapshot: string): Html {
  const { stored, store, id, words, language, baseUrl, lang } = view;
  const { axis } = stored;
  const path = recordPath(axis.code, id);
  const isCurrent = snapshot === store.snapshot.id;
  const lasts =
    axis.keyFields.length > 0
      ? words.keyed(axis.keyFields.map((key) => labelOf(key, view)).join(', '))
      : words.unkeyed;
  return html`<section aria-labelledby="address">
    <h2 id="address">${words.address}</h2>
    ${codeSample(baseUrl + path, words.link, language)}
    <p>
      <a href="${pinnedPath(view, snapshot, lang)}">${words.pin}</a>
      ${isCurrent ? null : html`(${snapshot})`}
    </p>
    ${codeSample(baseUrl + pinnedPath(view, snapshot), words.pin, language)}
    <p class="quiet">${lasts} ${words.pinHelp(String(snapshotsKept))}</p>
  </section>`;
}

/** The path of the record's values in a snapshot. */
function pinnedPath({ stored, id }: RecordView, snapshot: string, lang?: Language): string {
  return canonicalUrl(pageContract.record, { axis: stored.axis.code, id, snapshot, lang });
}

/** Citations of the record; those of a pinned page have its pinned address. */
function citationSection(view: RecordView, snapshot: string): Html {
  const { stored, store, row, id, name, words, language, baseUrl, isPinned } = view;
  const { axis, fields } = stored;
  const path = isPinned ? pinnedPath(view, snapshot) : recordPath(axis.code, id);
  const cited = { snapshot: { ...store.snapshot, id: snapshot } };
  const dated = fields.find(({ role }) => role === 'date');
  const date = dated === undefined ? null : (row[dated.name] ?? null);
  const cite = (in_: Language): string => {
    const recordDate = date === null ? null : { label: labelIn(dated!, in_), value: String(date) };
    return `${citationOf(axis, { id, name, recordDate, language: in_ }, cited)}, ${baseUrl}${path}`;
  };
  return html`<section aria-labelledby="citation">
    <h2 id="citation">${words.citation}</h2>
    ${codeSample(cite('ko'), words.korean, language)}
    ${codeSample(cite('en'), words.english, language)}
    <p class="links">
      <a href="${recordLink(axis.code, id)}">${words.json}</a>
      ${axis.sourceUrl === null ? emptyHtml : sourceLink(axis.sourceUrl, words.source, language)}
    </p>
  </section>`;
}

function labelOf(name: string, { stored, language }: RecordView): string {
  const field = stored.fields.find((one) => one.name === name);
  return field === undefined ? name : labelIn(field, language);
}
