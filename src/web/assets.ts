import { readFileSync } from 'node:fs';
import { cacheable } from '../kernel/http/conditional.ts';
import type { Router } from '../kernel/http/router.ts';
import { addTypeface } from './typeface.ts';

/** Adds the styles, the typeface, the scripts and the icon of the pages. */
export function addAssets(router: Router): void {
  for (const { path, body, type } of assets) {
    router.get(path, () => cacheable({ body, type }, { cacheControl: assetCacheControl }));
  }
  addTypeface(router);
}

const assetCacheControl = 'public, max-age=3600, stale-while-revalidate=86400';

const assets = [
  { path: '/assets/maru.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/components.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/charts.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/map.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/docs.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/maru.svg', type: 'image/svg+xml' },
  { path: '/assets/theme.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/suggest.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/map.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/condition.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/copy.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/trail.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/docs.js', type: 'text/javascript; charset=utf-8' },
].map((asset) => ({ ...asset, body: readFileSync(new URL(`.${asset.path}`, import.meta.url)) }));
