import { Problem } from '../problem.ts';
import { queryInUtf8 } from './query.ts';

/** Decoded values of the `{name}` segments of a path, without a suffix of the template such as `.md`. Throws 400 for a broken `%` and for NUL, which no database text can have. */
export function pathParameters(template: string, path: string): Record<string, string> {
  const names = template.split('/');
  const parts = path.split('/');
  const values: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const [, key, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(name) ?? [];
    if (key === undefined) continue;
    const part = parts[at] ?? '';
    try {
      values[key] = decodeURIComponent(part.slice(0, part.length - suffix.length));
    } catch (cause) {
      throw undecodable(path, cause);
    }
    if (values[key].includes('\0')) throw nulInPath();
  }
  return values;
}

function undecodable(path: string, cause: unknown): Problem {
  const use = path.split('/').map(queryInUtf8).join('/');
  if (use === path) {
    const detail = {
      ko: '주소의 % 표기가 잘못되었습니다. UTF-8로 퍼센트 인코딩하세요.',
      en: 'The path has an invalid % sequence. Percent-encode it in UTF-8.',
    };
    return new Problem('bad_request', detail, { cause });
  }
  const detail = {
    ko: `EUC-KR로 인코딩한 주소로 보입니다. UTF-8 주소를 쓰세요: ${use}`,
    en: `The path looks like EUC-KR; use the UTF-8 address: ${use}`,
  };
  return new Problem('bad_request', detail, { cause, extra: { use } });
}

function nulInPath(): Problem {
  return new Problem('bad_request', {
    ko: '주소에 NUL 문자는 쓸 수 없습니다.',
    en: 'A NUL character is not allowed in the path.',
  });
}
