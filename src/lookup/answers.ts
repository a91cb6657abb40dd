import { termsMax, type ParsedQuery } from '../data/korean/terms.ts';
import type { ApiRequest } from './serve.ts';
import type { Warning } from '../contract/route.ts';
import { jsonType, type Document } from '../kernel/http/result.ts';
import type { LookupStore } from './store/store.ts';

/** A JSON answer. */
export function jsonContent(value: unknown, headers?: Readonly<Record<string, string>>): Document {
  return textContent(JSON.stringify(value), headers);
}

/** A JSON answer from JSON text. */
export function textContent(json: string, headers?: Readonly<Record<string, string>>): Document {
  const content = { body: Buffer.from(json), type: jsonType };
  return headers === undefined ? content : { ...content, headers };
}

/** Members of `meta` that name the snapshot of an answer. */
export function snapshotMeta({ snapshot }: LookupStore): { snapshot: string; builtAt: string } {
  return { snapshot: snapshot.id, builtAt: snapshot.builtAt };
}

/** The member `warnings` of an answer; absent if there are none. */
export function warningsPart(warnings: readonly Warning[]): { warnings?: readonly Warning[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** Warnings as a header, for formats whose body has no place for them: JSON in ASCII. */
export function warningsHeader(warnings: readonly Warning[]): Record<string, string> {
  if (warnings.length === 0) return {};
  const json = asciiJson(warnings);
  if (json.length <= headerLengthMax) return { 'Maru-Warnings': json };
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return { 'Maru-Warnings': asciiJson(codes.map((code) => ({ code }))) };
}

/** Half of the 8 KB at which proxies refuse the headers of a response. */
const headerLengthMax = 4096;

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A warning that names the terms that are not searched for. */
export function termWarnings({ dropped }: ParsedQuery): Warning[] {
  return dropped.length === 0
    ? []
    : [{ code: 'terms_dropped', parameter: 'q', used: termsMax, dropped }];
}

interface ListPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  /** Number of items on all pages, where an item may stand for several of `total`; equal to `total` if absent. */
  readonly listed?: number;
  /** Number of items on this page; needed if `total` is only a bound. */
  readonly count?: number;
  /** `gte` if there may be more than `total`; exact when absent. */
  readonly totalRelation?: 'eq' | 'gte';
}

interface PageLinks {
  readonly next: string | null;
  readonly prev: string | null;
  readonly headers: Record<string, string>;
}

/** Links to the neighbouring pages, and the headers that carry them. */
export function pageLinks(
  { target }: Pick<ApiRequest<unknown>, 'target'>,
  page: ListPage,
): PageLinks {
  if (page.totalRelation === 'gte') return openEndedLinks(target, page);
  const { offset, limit, total, listed = total } = page;
  const headers: Record<string, string> = { 'X-Total-Count': String(total) };
  if (limit === 0) return { next: null, prev: null, headers };
  const lastOffset = listed === 0 ? 0 : Math.floor((listed - 1) / limit) * limit;
  const next = offset + limit < listed ? target({ offset: offset + limit }) : null;
  const prev =
    offset > 0 ? target({ offset: Math.max(0, Math.min(offset - limit, lastOffset)) }) : null;
  headers['Link'] =
    `${linkHeader(target, prev, next)}, <${target({ offset: lastOffset })}>; rel="last"`;
  return { next, prev, headers };
}

type Target = ApiRequest<unknown>['target'];

/** Links of a list whose end is unknown: a full page has a next one, and there is no `last`. */
function openEndedLinks(target: Target, { offset, limit, count = 0 }: ListPage): PageLinks {
  if (limit === 0) return { next: null, prev: null, headers: {} };
  const next = count === limit ? target({ offset: offset + limit }) : null;
  const prev = offset > 0 ? target({ offset: Math.max(0, offset - limit) }) : null;
  return { next, prev, headers: { Link: linkHeader(target, prev, next) } };
}

function linkHeader(target: Target, prev: string | null, next: string | null): string {
  let link = `<${target({ offset: 0 })}>; rel="first"`;
  if (prev !== null) link += `, <${prev}>; rel="prev"`;
  if (next !== null) link += `, <${next}>; rel="next"`;
  return link;
}
