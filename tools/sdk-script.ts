import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';
import sdkPackage from '../sdk/package.json' with { type: 'json' };

/** The client script of this version and the list of all versions, which are served as they are committed. */
export function sdkScript(): readonly (readonly [path: string, content: string])[] {
  const { version } = sdkPackage;
  const text = preferPublished(bundle(version), `${folder}/sdk-${version}.js`);
  const digest = createHash('sha384').update(text).digest('base64');
  const path = `${folder}/integrity.json`;
  const committed = existsSync(resolve(root, path))
    ? // Safe: the file was written from what `sdkScript` returned.
      (JSON.parse(readFileSync(resolve(root, path), 'utf8')) as Integrity)
    : { version, integrity: {} };
  const integrity = { ...committed.integrity, [version]: `sha384-${digest}` };
  return [
    [`${folder}/sdk-${version}.js`, text],
    [path, `${JSON.stringify({ version, integrity }, null, 2)}\n`],
  ];
}

/**
 * Returns the published script of this version if the build differs only in names of local variables. Pages pin its
 * hash, and esbuild chooses those names by the letters of the source, types included.
 */
function preferPublished(built: string, path: string): string {
  const file = resolve(root, path);
  const published = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return withoutLocalNames(published) === withoutLocalNames(built) ? published : built;
}

function withoutLocalNames(text: string): string {
  return text.replace(/(?<![\w$])[A-Za-z_$](?![\w$])/g, '_');
}

interface Integrity {
  readonly version: string;
  readonly integrity: Readonly<Record<string, string>>;
}

function bundle(version: string): string {
  const built = buildSync({
    entryPoints: [resolve(root, 'sdk/src/script.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    banner: { js: `/* @maru/sdk ${version}, Apache-2.0 */` },
    // The package’s tsconfig.json is for its build by tsc.
    tsconfigRaw: {},
  });
  // One entry point makes one file.
  return built.outputFiles[0]!.text;
}

const root = resolve(import.meta.dirname, '..');
const folder = 'src/web/sdk';
