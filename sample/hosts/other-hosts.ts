import type { CatalogCounts } from '../catalog/entries.ts';
import { memoize } from '../listing.ts';
import type { World } from '../world.ts';
import { catalogHandler } from './catalog-pages.ts';
import { demandHandler } from './demand.ts';
import type { HostHandler } from './host-handler.ts';
import { downloadHandler } from './downloads.ts';
import { odcloudHandler } from './odcloud.ts';
import { publishDatasets } from './published-datasets.ts';

/** The handlers of all hosts except those of the operations, in the order in which they are tried. */
export function otherHosts(world: World, options: OtherHostOptions): readonly HostHandler[] {
  const datasets = memoize(() => publishDatasets(world, options.catalog ?? {}));
  const makers = [odcloudHandler, downloadHandler, catalogHandler] as const;
  return [
    demandHandler(world, options.volumes ?? {}, options.refusedWords ?? []),
    ...makers.map((make): HostHandler => {
      const handler = memoize(() => make(datasets()));
      return (request, keys) => handler()(request, keys);
    }),
  ];
}

/** Contents of these hosts that replace the defaults. */
export interface OtherHostOptions {
  readonly catalog?: CatalogCounts;
  /** Searches a month by keyword. */
  readonly volumes?: Readonly<Record<string, number>>;
  /** Keywords that the search trend answers with 400. */
  readonly refusedWords?: readonly string[];
}
