import { lookupContract } from '../contract/lookup.ts';
import { Problem } from '../kernel/problem.ts';
import { catalog } from '../lookup/endpoints/catalog.ts';
import { callEndpoint, type ToolContext } from './call-endpoint.ts';

/** Adds the portal's catalog entry to the refusal of an unknown axis, if there is one. Other errors stay unchanged. */
export async function namingCatalogEntry(error: unknown, context: ToolContext): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'unknown_axis') return error;
  const [fault] = error.errors;
  const code = fault !== undefined && 'value' in fault ? (fault.value ?? '') : '';
  const number = portalNumber.exec(code)?.[0];
  if (number === undefined) return error;
  const values = { q: number, limit: entriesMax };
  const { items } = await callEndpoint(lookupContract.catalog, catalog, values, context);
  const entry = items.find(({ portalId, held }) => portalId === number && !held);
  if (entry === undefined) return error;
  const { errors, extra } = error;
  return new Problem(
    'unknown_axis',
    {
      ko: `${code} 축은 저장되어 있지 않습니다. 포털 목록에는 ${entry.id}로 있습니다. find_datasets의 q에 ${number}을 넣어 확인하세요.`,
      en: `The axis ${code} is not stored here. The portal’s catalog lists ${entry.id}; to see its entry, call find_datasets with q ${number}.`,
    },
    { errors, extra },
  );
}

/** Digits of a dataset's number on the portal. */
const portalNumber = /\d{5,12}/;
/** Entries read at most: a number has one for each type of data, such as file and API. */
const entriesMax = 10;
