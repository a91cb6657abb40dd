import { html } from 'hono/html';
import type { Exchange } from '../../kernel/http/exchange.ts';
import { note, type Front } from '../../kernel/http/front.ts';
import type { Html } from '../layout.ts';

export interface AdminPage {
  readonly title: string;
  readonly main: Html;
  /** Null on the page where one signs in. */
  readonly operator: string | null;
  readonly status?: number;
  readonly cookies?: readonly string[];
}

/** A page of the operator’s: text of members is escaped, no script runs, nobody frames or keeps it. */
export async function respondPage(
  front: Front,
  exchange: Exchange,
  { title, main, operator, status = 200, cookies = [] }: AdminPage,
): Promise<Response> {
  const document = await html`<!doctype html>
    <html lang="ko">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · 마루 운영</title>
        <link rel="stylesheet" href="/assets/maru.css" />
      </head>
      <body>
        <a class="skip" href="#main">본문으로 건너뛰기</a>
        <header>
          <a class="name" href="/">마루 운영</a>
          ${operator === null ? html`` : navigation(operator)}
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html>`;
  const body = Buffer.from(document);
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'X-Request-Id': exchange.requestId,
  });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  note(front, exchange, status, body.length);
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
}

/** A table of equal objects: a column a name. */
export function table(
  caption: string,
  rows: readonly object[],
  link: (row: Readonly<Record<string, unknown>>) => string | null = () => null,
): Html {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p class="quiet">아직 없습니다.</p>`;
  const names = Object.keys(rows[0]!);
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${names.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        // Read by the names of the first row; a missing one is an empty cell.
        const values = row as Readonly<Record<string, unknown>>;
        const target = link(values);
        return html`<tr>
          ${names.map((name, at) =>
            at === 0 && target !== null
              ? html`<td><a href="${target}">${shown(values[name])}</a></td>`
              : html`<td>${shown(values[name])}</td>`,
          )}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** A value as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'hidden';
  readonly required?: boolean;
}

/** A form of labelled fields; what is done needs a reason, which is one of them. */
export function form(action: string, button: string, fields: readonly FormField[]): Html {
  return html`<form method="post" action="${action}">
    ${fields.map(({ name, label, value = '', type = 'text', required = true }) =>
      type === 'hidden'
        ? html`<input type="hidden" name="${name}" value="${value}" />`
        : html`<p>
            <label
              >${label}
              <input
                type="${type}"
                name="${name}"
                value="${value}"
                autocomplete="off"
                ${required ? 'required' : ''}
            /></label>
          </p>`,
    )}
    <button type="submit">${button}</button>
  </form>`;
}

export const reasonField: FormField = { name: 'reason', label: '이유 (감사 기록에 남습니다)' };

function navigation(operator: string): Html {
  return html`<nav aria-label="주요 메뉴">
      <a href="/">개요</a> <a href="/members">회원</a> <a href="/platforms">플랫폼</a>
      <a href="/keys">키</a> <a href="/webhooks">웹훅</a> <a href="/jobs">작업</a>
      <a href="/audit">감사</a>
    </nav>
    ${form('/sign-out', `${operator} 로그아웃`, [])}`;
}

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
