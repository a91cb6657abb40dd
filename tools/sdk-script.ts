import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';
import sdkPackage from '../sdk/package.json' with { type: 'json' };

/** The client script of this version and the list of all versions, which are served as they are committed. */
export function sdkScript(): readonly (readonly [path: string, content: string])[] {
  const { version } = sdkPackage;
  const text = bundle(version);
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
