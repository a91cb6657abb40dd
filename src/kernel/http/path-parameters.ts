import { Problem } from '../problem.ts';
import { queryInUtf8 } from './query.ts';

/** Values of the `{name}` segments of a path, decoded; 400 for a broken `%`. */
export function pathParameters(template: string, path: string): Record<string, string> {
  const names = template.split('/');
  const parts = path.split('/');
  const values: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    if (!name.startsWith('{')) continue;
    try {
      values[name.slice(1, -1)] = decodeURIComponent(parts[at] ?? '');
    } catch (cause) {
      throw broken(path, cause);
    }
  }
  return values;
}

function broken(path: string, cause: unknown): Problem {
  const use = path.split('/').map(queryInUtf8).join('/');
  if (use === path) {
    const detail = {
      ko: '주소의 % 표기가 잘못되었습니다.',
      en: 'The path has a broken % sequence.',
    };
    return new Problem('bad_request', detail, { cause });
  }
  const detail = {
    ko: `EUC-KR로 쓰인 주소로 보입니다. UTF-8 주소를 쓰세요: ${use}`,
    en: `The path looks like EUC-KR; use the UTF-8 address: ${use}`,
  };
  return new Problem('bad_request', detail, { cause, extra: { use } });
}
