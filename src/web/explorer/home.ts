import { parameterText } from '../../data/korean/normalise.ts';
import type { Language } from '../../contract/language.ts';
import type { Content } from '../../kernel/http/respond.ts';
import { textLengthMax } from '../../contract/route.ts';
import { perStore } from '../../lookup/per-store.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { formatted, nothing, page } from '../layout.ts';
import { searchResults } from './results.ts';
import { homeTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

export interface HomeQuestion {
  /** Null before the first snapshot. */
  readonly store: LookupStore | null;
  readonly language: Language;
  /** As it was typed; empty for no search. */
  readonly q: string;
  readonly offset: number;
}

/** The front page: what this is, a search over everything, and what is held. */
export async function homePage({ store, language, q, offset }: HomeQuestion): Promise<Content> {
  const words = homeTexts[language];
  const question = parameterText(q).slice(0, textLengthMax).toWellFormed();
  const asking = question !== '' && store !== null;
  const results = asking ? await searchResults({ store, language, q: question, offset }) : nothing;
  const suffix = question === '' ? '' : `&q=${encodeURIComponent(question)}`;
  return page({
    language,
    title: question === '' ? words.title : `${question} – ${words.title}`,
    otherLanguage: `/?lang=${language === 'ko' ? 'en' : 'ko'}${suffix}`,
    main: html`
      <h1>${words.heading}</h1>
      <p class="quiet">${words.lead}</p>
      <form class="search" action="/" method="get" role="search">
        <input type="hidden" name="lang" value="${language}" />
        <input
          type="search"
          name="q"
          value="${question}"
          maxlength="${textLengthMax}"
          aria-label="${words.searchLabel}"
          placeholder="${words.placeholder}"
          autocomplete="off"
        />
        <button>${words.search}</button>
      </form>
      ${results}
      ${store === null ? html`<p role="status">${words.preparing}</p>` : belowSearch(store, language, asking)}
    `,
  });
}

/** Whoever searches wants what was found: what is held would be hundreds of cards below it. */
function belowSearch(store: LookupStore, language: Language, isSearch: boolean): Html {
  const list = isSearch ? nothing : held(store)(language);
  // Words and places are few: before the long list.
  return html`${wanted(store, language)} ${around(language)} ${list}`;
}

/** What a snapshot holds does not change: hundreds of cards are written once a language. */
const held = perStore((store) => {
  const written = new Map<Language, Html>();
  return (language: Language): Html => {
    let section = written.get(language);
    if (section === undefined) written.set(language, (section = heldSection(store, language)));
    return section;
  };
});

function heldSection(store: LookupStore, language: Language): Html {
  const words = homeTexts[language];
  // Most people come for the large ones; by code, made-up numbers would come first.
  const axes = [...store.axes.values()].sort((a, b) => b.rows - a.rows);
  const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
  return html`
    <section aria-labelledby="held">
      <h2 id="held">${words.held}</h2>
      <p class="quiet">${words.heldCounts(formatted(axes.length), formatted(rows))}</p>
      <ul class="cards axes">
        ${axes.map((axis) => axisCard(axis, language))}
      </ul>
    </section>
  `;
}

function axisCard({ axis, rows, fields }: StoredAxis, language: Language): Html {
  const words = homeTexts[language];
  const title = language === 'en' && axis.titleEn !== null ? axis.titleEn : axis.title;
  const code = encodeURIComponent(axis.code);
  return html`<li>
    <h3>${title} <span class="badge ${axis.origin}">${words.origins[axis.origin]}</span></h3>
    <p class="quiet">
      ${axis.provider === null ? nothing : html`${axis.provider.name} · `}${words.size(
        formatted(rows),
        formatted(fields.length),
      )}
    </p>
    <p class="links">
      <a href="/api/data/axis?axis=${code}" aria-label="${title}: ${words.rows}">${words.rows}</a>
      <a href="/api/data/fields?axis=${code}" aria-label="${title}: ${words.fields}"
        >${words.fields}</a
      >
      <a href="/api/export/${code}.csv" aria-label="${title}: CSV">CSV</a>
      <code>${axis.code}</code>
    </p>
  </li>`;
}

/** What most people look for, as one click. */
function wanted({ demand }: LookupStore, language: Language): Html {
  if (demand === null || demand.items.length === 0) return nothing;
  const words = homeTexts[language];
  return html`<section aria-labelledby="wanted">
    <h2 id="wanted">${words.wanted}</h2>
    <ul class="chips">
      ${demand.items.slice(0, wantedMax).map(
        ({ keyword }) =>
          html`<li>
            <a href="/?lang=${language}&amp;q=${encodeURIComponent(keyword)}">${keyword}</a>
          </li>`,
      )}
    </ul>
    <p><a href="/api/demand?held=1">${words.demand}</a></p>
  </section>`;
}

const wantedMax = 20;

function around(language: Language): Html {
  const words = homeTexts[language];
  return html`<section aria-labelledby="around">
    <h2 id="around">${words.region}</h2>
    <p>${words.regionHint}</p>
    <form class="search" action="/api/region" method="get">
      <input name="sido" required aria-label="${words.sido}" placeholder="${words.sidoExample}" />
      <input name="sigungu" aria-label="${words.sigungu}" placeholder="${words.sigunguExample}" />
      <button>${words.show}</button>
    </form>
  </section>`;
}
