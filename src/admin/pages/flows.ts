import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { PostponedCount } from '../../members/store/postponed-count.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml, formatNumber } from '../../web/layout.ts';
import { serviceReads } from '../api/service.ts';
import { refusalWithFixes } from './refusal.ts';
import { number, share, table } from './table.ts';
import type { Page, View } from './view.ts';

/** Overlap of platforms, flows between them, retention, and the funnel of a range of days. */
export const flowsPage: Page = async (view) => {
  const { text } = view;
  const cross = await serviceReads.crossPlatform(view);
  const { retention } = await serviceReads.northStar(view);
  return {
    title: text('겹침과 이동', 'Overlap and flows'),
    main: html`<p class="quiet">
        ${text(`${cross.as_of}까지, 하루가 끝난 날만 셉니다.`, `Complete days, up to ${cross.as_of}.`)}
      </p>
      ${await funnelSection(view)} ${overlapTable(view, cross)}
      <div class="columns">
        <section>${flowsTable(view, cross)}</section>
        <section>${setsTable(view, cross)}</section>
      </div>
      ${retentionTable(view, retention)}`,
  };
};

type CrossPlatform = Answer<typeof adminContract.crossPlatform>;
type Retention = Answer<typeof adminContract.northStar>['retention'];
type Funnel = Answer<typeof adminContract.funnel>;

async function funnelSection(view: View): Promise<Html> {
  const { text, query } = view;
  const given = { from: query.get('from') ?? undefined, to: query.get('to') ?? undefined };
  const { funnel, refusal } = await readFunnel(view, given);
  const day = (name: 'from' | 'to', label: string) =>
    html`<div class="field">
      <label for="field-${name}">${label}</label>
      <input
        id="field-${name}"
        type="date"
        name="${name}"
        value="${funnel?.[name] ?? given[name] ?? ''}"
      />
    </div>`;
  return html`<section>
    <h2>${text('가입에서 구매까지', 'From registration to purchase')}</h2>
    <form method="get" action="/flows" class="fields inline">
      ${day('from', text('첫날', 'First day'))} ${day('to', text('마지막 날', 'Last day'))}
      <p class="act"><button type="submit">${text('보기', 'Show')}</button></p>
    </form>
    ${refusal === null ? emptyHtml : html`<div class="alert" role="alert"><p>${refusal}</p></div>`}
    ${funnel === null ? emptyHtml : funnelTable(view, funnel)}
  </section>`;
}

async function readFunnel(
  view: View,
  parameters: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<{ readonly funnel: Funnel | null; readonly refusal: string | null }> {
  try {
    return { funnel: await serviceReads.funnel({ ...view, parameters }), refusal: null };
  } catch (error) {
    const isShown =
      error instanceof PostponedCount || (error instanceof Problem && error.status < 500);
    if (!isShown) throw error;
    return { funnel: null, refusal: refusalWithFixes(error, view.language) };
  }
}

function funnelTable(view: View, { items }: Funnel): Html {
  const { text } = view;
  const most = Math.max(1, ...items.map(({ registered }) => registered));
  const note = text(
    '기간 안에 가입한 사용자 가운데 그 플랫폼을 방문한 사용자와, 방문하고 구매한 사용자입니다.',
    'Users who registered in the range, those of them who visited the platform, and those who visited and purchased.',
  );
  return html`${table(view, {
      caption: text('플랫폼별 전환', 'Conversion by platform'),
      file: 'funnel',
      rows: items.toSorted((one, other) => other.registered - one.registered),
      empty: text('아직 플랫폼이 없습니다.', 'There are no platforms yet.'),
      columns: [
        [text('플랫폼', 'Platform'), ({ platform }) => platform],
        [
          text('단계', 'Steps'),
          ({ registered, visited, purchased }) => steps([registered, visited, purchased], most),
          'action',
        ],
        [text('가입', 'Registered'), ({ registered }) => formatNumber(registered), 'number'],
        [
          text('방문', 'Visited'),
          ({ visited, registered }) => share(visited, registered),
          'number',
          ({ visited }) => visited,
        ],
        [
          text('구매', 'Purchased'),
          (row) => share(row.purchased, row.registered),
          'number',
          ({ purchased }) => purchased,
        ],
      ],
    })}
    <p class="quiet">${note}</p>`;
}

/** A bar for each step, one below the other. Screen readers skip them. */
function steps(counts: readonly number[], most: number): Html {
  return html`<svg class="steps" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
    ${counts.map(
      (count, at) =>
        html`<rect
          class="step${at}"
          y="${at * 8}"
          width="${Math.round((count / most) * 1_000) / 10}"
          height="6"
        />`,
    )}
  </svg>`;
}

/** Members of each pair of platforms; on the diagonal, the members of one platform. */
function overlapTable(view: View, { platforms, overlap }: CrossPlatform): Html {
  const { text } = view;
  const members = new Map(platforms.map((one) => [one.platform, one.members ?? 0]));
  const pairs = new Map(overlap.pairs.map((pair) => [key(pair.platforms), pair.members ?? 0]));
  const countOf = (row: string, column: string) =>
    (row === column ? members.get(row) : pairs.get(key([row, column]))) ?? 0;
  const cell = (row: string, column: string) => {
    const whole = members.get(row) ?? 0;
    return row === column ? html`<b>${number(whole)}</b>` : heat(countOf(row, column), whole);
  };
  return table(view, {
    caption: text('겹치는 회원 (행 플랫폼 회원 중)', 'Members on both, and the share of the row'),
    rows: platforms,
    file: 'overlap',
    empty: text('아직 플랫폼이 없습니다.', 'There are no platforms yet.'),
    onPhone: 'tiles',
    columns: [
      ['', ({ platform }) => platform],
      ...platforms.map(
        (column) =>
          [
            column.platform,
            (row: { readonly platform: string }) => cell(row.platform, column.platform),
            'number',
            (row: { readonly platform: string }) => countOf(row.platform, column.platform),
          ] as const,
      ),
    ],
  });
}

/** Members by the platform that they joined and the platform that they had joined before it. */
function flowsTable(view: View, { flows }: CrossPlatform): Html {
  const { text } = view;
  const moves = flows.filter(({ members }) => members !== 0);
  const sum = moves.reduce((total, { members }) => total + (members ?? 0), 0);
  return table(view, {
    caption: text('다음에 가입한 플랫폼', 'Platforms joined next'),
    file: 'flows',
    rows: moves.toSorted((one, other) => (other.members ?? 0) - (one.members ?? 0)).slice(0, 12),
    empty: text(
      '두 플랫폼에 가입한 회원이 아직 없습니다.',
      'No member has joined a second platform yet.',
    ),
    onPhone: 'narrow',
    columns: [
      [text('이동', 'Flow'), ({ from, to }) => `${from} → ${to}`],
      [text('회원', 'Members'), ({ members }) => number(members), 'number'],
      [text('비율', 'Share'), ({ members }) => heat(members ?? 0, sum, 'share'), 'number'],
    ],
  });
}

/** The twelve most frequent exact sets of two or more platforms. */
function setsTable(view: View, { overlap, members }: CrossPlatform): Html {
  const { text } = view;
  const several = overlap.sets.filter(({ platforms }) => platforms.length > 1);
  return table(view, {
    caption: text('함께 쓰는 플랫폼', 'Platforms used together'),
    file: 'platforms-together',
    rows: several.toSorted((one, other) => (other.members ?? 0) - (one.members ?? 0)).slice(0, 12),
    empty: text(
      '두 플랫폼에 가입한 회원이 아직 없습니다.',
      'No member has joined a second platform yet.',
    ),
    onPhone: 'narrow',
    columns: [
      [text('정확히 이 플랫폼들', 'Exactly these'), ({ platforms }) => platforms.join(' · ')],
      [text('회원', 'Members'), (set) => number(set.members), 'number'],
      [
        text('전체 회원 중', 'Of all members'),
        (set) => share(set.members ?? 0, members ?? 0),
        'number',
      ],
    ],
  });
}

/** Members by the week of their first activity, and the share of them that was active in each later week. */
function retentionTable(view: View, retention: Retention): Html {
  const { text } = view;
  return table(view, {
    caption: text('유지율 (처음 활동한 주부터)', 'Retention by the week of first activity'),
    rows: retention,
    file: 'retention',
    empty: text('아직 끝난 주가 없습니다.', 'No week is complete yet.'),
    onPhone: 'tiles',
    columns: [
      [text('첫 주', 'First week'), ({ week }) => html`<time>${week}</time>`],
      [text('신규', 'New'), ({ active }) => number(active[0] ?? null), 'number'],
      ...retention.slice(1).map(
        (_, at) =>
          [
            text(`${at + 1}주 뒤`, `+${at + 1} wk`),
            ({ active }: Retention[number]) => {
              const later = active[at + 1];
              return later === undefined || later === null
                ? ''
                : heat(later, active[0] ?? 0, 'share');
            },
            'number',
            ({ active }: Retention[number]) => active[at + 1] ?? null,
          ] as const,
      ),
    ],
  });
}

/** A count with its share, or the share alone. The background is darker for a greater share. */
function heat(part: number, whole: number, shown: 'both' | 'share' = 'both'): Html {
  if (whole === 0) return html`–`;
  const percent = Math.round((part / whole) * 100);
  const level = part === 0 ? 0 : Math.min(4, 1 + Math.floor(percent / 20));
  return html`<span class="heat heat${level}"
    >${shown === 'both' ? html`${formatNumber(part)} <small>${percent}%</small>` : html`${percent}%`}</span
  >`;
}

function key(platforms: readonly string[]): string {
  return platforms.toSorted().join(' ');
}
