import { Problem } from '../problem.ts';

/** The values of the `{name}` segments of a path; 400 for a broken `%`. */
export function pathParameters(template: string, path: string): Record<string, string> {
  const names = template.split('/');
  const parts = path.split('/');
  const values: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    if (!name.startsWith('{')) continue;
    try {
      values[name.slice(1, -1)] = decodeURIComponent(parts[at] ?? '');
    } catch (cause) {
      const detail = {
        ko: '주소의 % 표기가 잘못되었습니다.',
        en: 'The path has a broken % sequence.',
      };
      throw new Problem('bad_request', detail, { cause });
    }
  }
  return values;
}
