import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { cacheable } from '../../kernel/http/conditional.ts';
import type { Router } from '../../kernel/http/router.ts';

/** Serves the hooks in other languages, which the guide links to. */
export function addHookFiles(router: Router): void {
  for (const path of hookFiles) {
    const body = readFileSync(new URL(path, root));
    router.get(hookAddress(path)!, () => cacheable({ body, type: 'text/plain; charset=utf-8' }));
  }
}

/** Address of a file of hooks; null for any other file. */
export function hookAddress(path: string): string | null {
  return hookFiles.includes(path) ? `/hooks/${posix.basename(path)}` : null;
}

const hookFiles = [
  'examples/python/maru.py',
  'examples/php/Maru.php',
  'examples/ruby/maru.rb',
  'examples/go/maru.go',
  'examples/java/Maru.java',
  'examples/sh/maru.sh',
];

const root = new URL('../../../', import.meta.url);
