import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { exportContract } from '../../contract/export-routes.ts';
import { lookupContract } from '../../contract/lookup.ts';
import { membersContract } from '../../contract/members.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { silentLog } from '../../kernel/log.ts';
import { settingsTable } from '../../kernel/settings.ts';
import { StoreHolder } from '../../lookup/current-store.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { createSite } from '../site.ts';
import { docsPages } from './pages.ts';
import { problems } from '../../contract/problems.ts';
import { sectionsOf } from './sections.ts';
import { request } from '../../../test/fixtures/inject.ts';

const holder = new StoreHolder();
await holder.replace(fixtureStore());
const router = createSite({
  holder,
  settings: { MARU_BASE_URL: null },
  server: createServerContext(silentLog),
});

const languages = ['ko', 'en'] as const;
const paths = ['/docs', ...docsPages.map(({ slug }) => `/docs/${slug}`)];
const everyPage = languages.flatMap((language) => paths.map((path) => `${path}?lang=${language}`));

test('every page exists in both languages, declares its language and links the other one', async () => {
  for (const target of everyPage) {
    const shown = await pageOf(target);
    const [path, language] = target.split('?lang=');
    const other = language === 'ko' ? 'en' : 'ko';
    assert.ok(shown.includes(`<html lang="${language}">`), target);
    assert.ok(shown.includes(`href="${path}?lang=${other}" hreflang="${other}"`), target);
  }
});

test('the Korean pages contain no English sentence', async () => {
  for (const page of docsPages.filter(({ kind }) => kind === 'written')) {
    const shown = await pageOf(`/docs/${page.slug}?lang=ko`);
    const prose = [...shown.matchAll(/<p>([^]*?)<\/p>/g)].map(([, inner]) =>
      inner!.replace(/<code[^]*?<\/code>|<[^>]*>/g, ''),
    );
    for (const paragraph of prose) assert.match(paragraph, /[가-힣]|^\W*$/, paragraph);
  }
});

test('the Korean docs mark a document that exists in English only', async () => {
  const english = docsPages.filter(({ kind }) => kind === 'english');
  assert.ok(english.length > 0);
  for (const { slug } of english) {
    const shown = await pageOf(`/docs/${slug}?lang=ko`);
    assert.match(shown, /영어로만 제공됩니다/, slug);
    assert.match(shown, /<div lang="en">/, slug);
  }
  const marks = (await pageOf('/docs/read?lang=ko')).match(/\(영어\)/g) ?? [];
  assert.equal(marks.length, english.length);
});

test('heading levels never skip, anchors are unique and every control has a name', async () => {
  for (const target of [...everyPage, '/docs/search?q=키', '/docs/search?q=zzz']) {
    const shown = await pageOf(target);
    const levels = [...shown.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    assert.equal(levels.filter((level) => level === 1).length, 1, target);
    assert.equal(levels[0], 1, target);
    for (const [at, level] of levels.entries()) {
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `${target}: ${levels.join(' ')}`);
    }
    const ids = idsOf(shown);
    assert.equal(new Set(ids).size, ids.length, target);
    // A label around its control names it.
    const others = shown.replaceAll(/<label\s*>[^]*?<\/label\s*>/g, '');
    for (const [control] of others.matchAll(/<(input|select)(?![^>]*hidden)[^>]*>/g)) {
      const id = / id="([^"]+)"/.exec(control)?.[1];
      assert.ok(control.includes('aria-label=') || shown.includes(`for="${id}"`), control);
    }
    for (const [, labelled] of shown.matchAll(/aria-labelledby="([^"]+)"/g)) {
      assert.ok(ids.includes(labelled!), `${target} ${labelled}`);
    }
  }
});

test('every link inside the docs leads to an existing page and anchor', async () => {
  const placesOf = new Map<string, string[]>();
  for (const target of everyPage) placesOf.set(target, idsOf(await pageOf(target)));
  for (const target of everyPage) {
    const links = (await pageOf(target)).matchAll(/href="(#[^"]*|\/docs[^"]*)"/g);
    for (const [, link] of links) {
      const [page, anchor] = link!.replaceAll('&amp;', '&').split('#');
      const places = placesOf.get(page === '' ? target : page!);
      assert.ok(places !== undefined, `${target} links to ${link}`);
      assert.ok(anchor === undefined || places.includes(decodeURI(anchor)), `${target} → ${link}`);
    }
  }
});

test('the guide to hooks links the file of each language, which is served as text', async () => {
  const guide = await pageOf('/docs/hooks?lang=en');
  const addresses = [...new Set(guide.match(/\/hooks\/[Mm]aru\.\w+/g))];
  assert.equal(addresses.length, 6);
  for (const address of addresses) {
    const response = await request(router, address);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(await response.text(), /MARU_API_KEY/);
  }
});

test('the front page shows a whole sentence of each page', async () => {
  for (const language of languages) {
    const shown = await pageOf(`/docs?lang=${language}`);
    const leads = [...shown.matchAll(/<p class="quiet">([^<]*)<\/p>\s*<\/li>/g)].map(
      ([, lead]) => lead!,
    );
    assert.ok(leads.length > 10);
    for (const lead of leads) assert.match(lead, /[.!?]$/);
  }
});

test('the samples of a document are the same in both languages', () => {
  for (const page of docsPages) {
    if (page.kind !== 'written') continue;
    const [korean, english] = languages.map((language) => fencesOf(page.files[language]));
    assert.deepEqual(korean, english, page.slug);
  }
});

test('the references list every endpoint, problem and setting', async () => {
  const lookup = await pageOf('/docs/lookup-api');
  for (const [name, { path }] of Object.entries({ ...lookupContract, ...exportContract })) {
    assert.ok(lookup.includes(`id="${name}"`) && lookup.includes(path), path);
  }
  const members = await pageOf('/docs/members-api');
  for (const [name, { path }] of Object.entries(membersContract)) {
    assert.ok(members.includes(`id="${name}"`) && members.includes(path), path);
  }
  const places = idsOf(await pageOf('/docs/problems'));
  const leads = idsOf(await pageOf('/docs'));
  for (const code of Object.keys(problems)) {
    assert.ok(places.includes(code), code);
    // The `type` of an error is /docs#problem-CODE.
    assert.ok(leads.includes(`problem-${code}`), code);
  }
  for (const language of languages) {
    const list = await pageOf(`/docs/problems?lang=${language}`);
    for (const { remedy } of Object.values(problems)) {
      // Some end with an address or a sign that markup escapes.
      const [start] = remedy[language].split(/[&<>"']/);
      assert.ok(list.includes(start!), remedy.en);
    }
  }
  const settings = idsOf(await pageOf('/docs/settings'));
  assert.deepEqual(
    Object.keys(settingsTable).filter((name) => !settings.includes(name)),
    [],
  );
});

test('every cell of a generated table has the label of its column, which a phone shows', async () => {
  for (const { slug } of docsPages.filter(({ kind }) => kind === 'generated')) {
    const shown = await pageOf(`/docs/${slug}`);
    assert.doesNotMatch(shown, /<td>|<td data-label="">/, slug);
  }
});

test('a search matches either language, decomposed or in capitals, and marks the match', async () => {
  assert.match(await pageOf('/docs/search?q=백업'), /<mark>백업<\/mark>/);
  assert.match(await pageOf(`/docs/search?q=${'백업'.normalize('NFD')}`), /<mark>백업<\/mark>/);
  assert.match(await pageOf('/docs/search?q=RETRY-AFTER'), /<mark>Retry-After<\/mark>/);
  const english = await pageOf('/docs/search?lang=en&q=backups');
  assert.match(english, /href="\/docs\/production\?lang=en#backups"/);
});

test('a search needs every word, and without a result suggests others', async () => {
  assert.match(await pageOf('/docs/search?q=백업 엑셀'), /검색 결과가 없습니다/);
  assert.match(await pageOf('/docs/search?q=qordjq'), /q=%EB%B0%B1%EC%97%85/);
});

test('a docs search never becomes markup, and an unreadable query is not an error', async () => {
  const shown = await pageOf('/docs/search?q=%3Cscript%3E"\'%26');
  assert.ok(shown.includes('&lt;script&gt;&quot;&#39;&amp;'));
  for (const odd of ['?q=%', '?q=%ff', '?q=%00', `?q=${'가'.repeat(500)}`, '?q=" "']) {
    await pageOf(`/docs/search${odd}`);
  }
});

test('samples show the host of the request if it is a plain name and port', async () => {
  const named = await pageOf('/docs/quick-start', { host: 'maru.local:8080' });
  assert.match(named, /http:\/\/maru\.local:8080\/api/);
  assert.match(named, /http:\/\/maru\.local:8080\/members/);
  const local = await pageOf('/docs/quick-start', { host: '127.0.0.1:8080' });
  assert.match(local, /http:\/\/localhost:8080\/members/);
  const odd = await pageOf('/docs/quick-start', { host: 'a..b:1' });
  assert.match(odd, /http:\/\/127\.0\.0\.1:3000\/api/);
});

test('the docs are served before the first snapshot and list its axes afterwards', async () => {
  const empty = new StoreHolder();
  const early = createSite({
    holder: empty,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
  });
  const before = await request(early, '/docs/lookup-api');
  assert.equal(before.status, 200);
  await empty.replace(fixtureStore());
  const after = await request(early, '/docs/lookup-api');
  assert.match(await after.text(), /<option value="gen_restdeinfo">/);
});

test('a section has the visible text under its heading', () => {
  const body =
    '<h1>A</h1><p>one &amp; <b>two</b></p><h2 id="b">B</h2><pre>x</pre><button>Copy</button>';
  assert.deepEqual(
    sectionsOf(body).map(({ id, heading, text }) => [id, heading, text]),
    [
      ['', 'A', 'one & two'],
      ['b', 'B', 'x'],
    ],
  );
});

async function pageOf(target: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await request(router, target, { headers });
  assert.equal(response.status, 200, target);
  return response.text();
}

function idsOf(shown: string): string[] {
  return Array.from(shown.matchAll(/ id="([^"]+)"/g), ([, id]) => id!);
}

function fencesOf(file: string): string[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  return text.match(/^```[^]*?^```/gm) ?? [];
}
