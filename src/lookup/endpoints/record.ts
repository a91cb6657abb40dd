import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Row, StoredAxis } from '../../data/axis.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { textContent, warningsPart } from '../answers.ts';
import { axisMeta } from '../axis-meta.ts';
import { citationOf } from '../citation.ts';
import { requireAxis } from '../refusals.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore } from '../store/store.ts';

/** One record by its stable id, with what an article needs to cite it. */
export function record(
  { axis, id: givenId }: RouteParameters<typeof lookupContract.record>,
  store: LookupStore,
) {
  const stored = requireAxis(axis, store);
  const id = givenId.toLowerCase();
  return async ({ warnings }: ApiRequest<LookupStore>): Promise<Document> => {
    const row = /^[0-9a-f]{16}$/.test(id) ? await store.rowOf(axis, id) : null;
    if (row === null) throw noRecord(stored, givenId);
    const json = store.records(axis, [row])[0]!.toString();
    const additions = store.additions(axis, [row])[0]!;
    const { title, sourceUrl } = stored.axis;
    const head = JSON.stringify({ axis, title, id, name: nameOf(stored, JSON.parse(json) as Row) });
    const tail = JSON.stringify({
      fields: stored.fields.map(({ name, label, type, unit }) => ({ name, label, type, unit })),
      region: { sido: regionOf(additions._sido), sigungu: regionOf(additions._sigungu) },
      isTotal: additions._total,
      citation: citationOf(stored.axis, { id, language: 'ko' }, store),
      links: {
        self: recordLink(axis, id),
        rows: canonicalUrl(lookupContract.rows, { axis }),
        source: sourceUrl,
      },
      meta: axisMeta(stored, store),
      ...warningsPart(warnings),
    });
    return textContent(`${head.slice(0, -1)},"record":${json},${tail.slice(1)}`);
  };
}

/** URL of a record by its stable id. */
export function recordLink(axis: string, id: string): string {
  return canonicalUrl(lookupContract.record, { axis, id });
}

function nameOf({ fields }: StoredAxis, row: Row): string | null {
  const name = fields.find(({ role }) => role === 'name')?.name;
  const value = name === undefined ? null : (row[name] ?? null);
  return value === null ? null : String(value);
}

function regionOf(code: string | null): object | null {
  const region = code === null ? undefined : regionByCode(code);
  return region === undefined ? null : { code: region.code, name: fullName(region) };
}

function noRecord({ axis }: StoredAxis, id: string): Problem {
  const detail = {
    ko: `${axis.code} 축에 ID가 ${id}인 레코드가 없습니다. 바뀌었거나 삭제되었을 수 있습니다.`,
    en: `The axis ${axis.code} has no record with the id ${id}. It may have been changed or removed.`,
  };
  const reason = { ko: '없는 레코드입니다.', en: 'There is no such record.' };
  return new Problem('not_found', detail, { errors: [{ parameter: 'id', reason, value: id }] });
}
