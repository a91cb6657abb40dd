import { join, resolve } from 'node:path';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { importCatalog } from '../../src/ingest/catalog/import-catalog.ts';
import { loadFiles } from '../../src/ingest/load/load.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { startServer } from '../../src/kernel/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { SnapshotStore } from '../../src/lookup/store/snapshot.ts';
import { createSite } from '../../src/web/site.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Starts the pages over the sample data, with pharmacies, lifts and a list of datasets beside them; returns its address. */
export async function startWalkScene(stack: AsyncDisposableStack): Promise<string> {
  const data = join(stack.use(temporaryFolder()).path, 'data');
  await copyFirstStart(data);
  const fixtures = resolve(import.meta.dirname, '../fixtures/walks');
  await importCatalog(data, join(fixtures, 'list.csv'), () => {});
  await loadFiles(data, [
    join(fixtures, '전국약국표준데이터.csv'),
    join(fixtures, '한국승강기안전공단_승강기 설치 현황.csv'),
  ]);
  const holder = stack.use(new StoreHolder());
  await holder.replace(new SnapshotStore(data, currentId(data)!));
  const router = createSite({
    holder,
    server: createServerContext(silentLog),
    settings: { MARU_BASE_URL: null },
  });
  return stack.use(await startServer({ router, host: '127.0.0.1', port: 0 })).address;
}
