import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Takes the typeface of the pages from a folder of the npm package `pretendard`: `node tools/pretendard.ts PACKAGE`.
 * Writes the pieces of its variable font, the rules that name the letters of each piece, and its licence.
 */
const [packageFolder] = process.argv.slice(2);
if (packageFolder === undefined) throw new Error('Usage: tools/pretendard.ts PACKAGE');
const source = join(packageFolder, 'dist/web/variable');
const target = resolve(import.meta.dirname, '../src/web/assets/pretendard');

const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const styles = readFileSync(join(source, 'pretendardvariable-dynamic-subset.css'), 'utf8');
const pieces = [...styles.matchAll(/url\(\.\/([^)]+)\)[^;]*;\s*unicode-range: ([^;]+);/g)];
if (pieces.length < 90) throw new Error(`${pieces.length} pieces of the font are too few.`);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
copyFileSync(join(packageFolder, 'dist/LICENSE.txt'), join(target, 'OFL.txt'));
const rules = pieces.map(([, path = '', letters = ''], at) => {
  copyFileSync(join(source, path), join(target, `${at}.woff2`));
  // A page that is read before its letters arrive keeps the font of the system, so that nothing moves.
  return `@font-face{font-family:Pretendard;font-weight:45 920;font-display:optional;src:url(pretendard-${version}/${at}.woff2) format('woff2');unicode-range:${letters.replaceAll(' ', '')}}\n`;
});
writeFileSync(
  join(target, 'pretendard.css'),
  `/* Pretendard ${version}, Copyright (c) 2021 Kil Hyung-jin, SIL Open Font License 1.1. Written by tools/pretendard.ts. */\n${rules.join('')}`,
);
