import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';
import sdkPackage from '../sdk/package.json' with { type: 'json' };

/** The client script of this version and the list of all versions, which are served as they are committed. */
export function sdkScript(): readonly (readonly [path: string, content: string])[] {
  const { version } = sdkPackage;
  const text = publishedOr(bundle(version), `${folder}/sdk-${version}.js`);
  const digest = createHash('sha384').update(text).digest('base64');
  const path = `${folder}/integrity.json`;
  const known = existsSync(resolve(root, path))
    ? // Written by this very function.
      (JSON.parse(readFileSync(resolve(root, path), 'utf8')) as Integrity)
    : { version, integrity: {} };
  const integrity = { ...known.integrity, [version]: `sha384-${digest}` };
  return [
    [`${folder}/sdk-${version}.js`, text],
    [path, `${JSON.stringify({ version, integrity }, null, 2)}\n`],
  ];
}

/**
 * The published script of this version if the build differs from it in names of local variables only: pages pin its hash,
 * and esbuild picks those names by the letters of the source, names of types included.
 */
function publishedOr(built: string, path: string): string {
  const file = resolve(root, path);
  const published = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return withoutLocals(published) === withoutLocals(built) ? published : built;
}

function withoutLocals(text: string): string {
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
    // The settings of the package are for its other build.
    tsconfigRaw: {},
  });
  // One entry point makes one file.
  return built.outputFiles[0]!.text;
}

const root = resolve(import.meta.dirname, '..');
const folder = 'src/web/sdk';
