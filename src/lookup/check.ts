import { exportContract, lookupContract } from '../contract/lookup.ts';
import { parseTerms } from '../data/korean/terms.ts';
import type { Route } from '../contract/route.ts';
import type { Values } from '../kernel/http/parameters.ts';
import { nearestFew } from '../kernel/nearest.ts';
import type { BilingualText } from '../contract/language.ts';
import { Problem } from '../kernel/problem.ts';
import { exportFile } from './endpoints/export.ts';
import type { LookupStore } from './store/store.ts';

/** Refuses what is well formed and cannot be answered, before anything is read. */
export function checkQuestion(endpoint: Route, values: Values, store: LookupStore): void {
  const { path } = endpoint;
  if (path === lookupContract.rows.path || path === lookupContract.fields.path) {
    checkAxis(String(values['axis']), store);
  }
  if (path === lookupContract.rows.path) checkRows(values, store);
  if (path === lookupContract.search.path && parseTerms(String(values['q'])).length === 0) {
    throw invalid('q', { ko: '찾을 글자가 없습니다.', en: 'It holds nothing to search for.' });
  }
  if (path === lookupContract.demand.path && values['held'] === '1' && values['gap'] === '1') {
    throw invalid('gap', {
      ko: 'held와 함께 쓸 수 없습니다. 보유했거나 보유하지 않았거나 둘 중 하나입니다.',
      en: 'It excludes held: data is either held or it is not.',
    });
  }
  if (path === exportContract.export.path) checkFile(String(values['file']), store);
}

function checkAxis(code: string, store: LookupStore): void {
  if (store.axes.has(code)) return;
  const suggestions = nearCodes(code, store);
  throw new Problem(
    'unknown_axis',
    {
      ko: `보유하지 않은 축입니다: ${code}. 모든 축은 /api/axes에 있습니다.`,
      en: `No axis ${code} is held. All of them are at /api/axes.`,
    },
    {
      errors: [
        {
          parameter: 'axis',
          reason: { ko: '보유하지 않은 축입니다.', en: 'This axis is not held.' },
          value: code,
        },
      ],
      extra: { suggestions },
    },
  );
}

/** Codes a slip away, and those that hold what was typed: a portal number finds its file. */
function nearCodes(code: string, store: LookupStore): string[] {
  const typed = code.toLowerCase();
  const holding = [...store.axes.keys()].filter((held) => held.includes(typed));
  return [...new Set([...nearestFew(code, store.axes.keys(), 3), ...holding])].slice(0, 5);
}

function checkRows({ axis, sido, sigungu, format }: Values, store: LookupStore): void {
  if (sigungu !== undefined && sido === undefined) {
    throw new Problem(
      'missing_parameter',
      {
        ko: 'sigungu는 sido와 함께 써야 합니다. 같은 이름의 시군구가 여러 곳에 있습니다.',
        en: 'sigungu needs sido: several regions share a name.',
      },
      {
        errors: [
          { parameter: 'sido', reason: { ko: '값이 필요합니다.', en: 'A value is required.' } },
        ],
      },
    );
  }
  if (format === 'geojson' && store.axes.get(String(axis))?.hasCoordinates !== true) {
    throw invalid('format', {
      ko: '이 축에는 좌표가 없어 geojson으로 줄 수 없습니다. json, ndjson, csv를 쓰세요.',
      en: 'This axis has no coordinates: use json, ndjson or csv.',
    });
  }
}

function checkFile(file: string, store: LookupStore): void {
  if (exportFile(file, store) !== null) return;
  const code = file.replace(/\.\w*$/, '');
  const suggestions = nearCodes(code, store).map((near) => `/api/export/${near}.csv`);
  throw new Problem(
    'not_found',
    {
      ko: '그런 파일이 없습니다. 보유한 축의 코드에 .csv나 .ndjson을 붙여 쓰세요.',
      en: 'There is no such file. Write the code of a held axis and .csv or .ndjson.',
    },
    { extra: { suggestions } },
  );
}

function invalid(parameter: string, reason: BilingualText): Problem {
  const detail = { ko: `${parameter}: ${reason.ko}`, en: `${parameter}: ${reason.en}` };
  return new Problem('invalid_parameter', detail, { errors: [{ parameter, reason }] });
}
