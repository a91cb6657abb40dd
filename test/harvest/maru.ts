import { fileURLToPath } from 'node:url';
import { sampleKey } from '../../sample/keys.ts';
import { runMaru } from '../end-to-end/run-maru.ts';

/** Runs the command line to its end, beside a portal in this process. Returns its exit code and whole output. */
export async function maru(
  words: readonly string[],
  data: string,
  environment: Record<string, string>,
) {
  const { status, output, errors } = await runMaru(data, words, environment);
  return { code: status, output: errors + output };
}

/** Environment in which a process collects from a sample portal, with its clock at `noon` like the portal's. */
export function atNoon(portal: { readonly url: string }): Record<string, string> {
  return {
    MARU_SERVICE_KEY: sampleKey,
    MARU_PORTAL_GATEWAY: portal.url,
    NODE_OPTIONS: `--import=${pathOf('noon-clock.ts')}`,
  };
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
