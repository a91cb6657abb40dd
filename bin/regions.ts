import { Command, Option } from 'commander';
import {
  boundaryLicenses,
  type BoundaryLicense,
  type StoredBoundaries,
} from '../src/data/regions/stored-boundaries.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { OpenedSnapshot } from '../src/data/snapshot/opened.ts';
import { importBoundaries, MissingTerms } from '../src/ingest/boundaries/import-boundaries.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { formatCount, oneLine, print, printJson, withNoun } from './terminal.ts';

interface LoadOptions {
  readonly license?: BoundaryLicense;
  readonly credit?: string;
  readonly name?: string;
  readonly code?: string;
  readonly json?: boolean;
}

export function regionsCommand(): Command {
  const command = new Command('regions').description(
    'Maps draw the built-in borders of 2018, or newer or more exact ones that you load from a file. ' +
      'Positions of records are always assigned by the built-in borders.',
  );
  command
    .command('list', { isDefault: true })
    .description('list the boundaries that are loaded')
    .option('--json', 'as JSON')
    .action(list);
  command
    .command('load')
    .description(
      'Loads boundaries of 시도 or 시군구 from TopoJSON or GeoJSON in degrees of WGS84, and replaces those of the ' +
        'same level. Features are matched by name, and by position where several regions have a name; those without a ' +
        'Korean name by code. ' +
        'Regions that the file lacks keep their built-in borders. A running server shows them within a second.',
    )
    .argument('<file>', 'TopoJSON or GeoJSON')
    .addOption(
      new Option(
        '--license <id>',
        'licence of the file; without it, the one that the file names',
      ).choices(Object.keys(boundaryLicenses)),
    )
    .option('--credit <text>', 'author and year, which stand under each map')
    .option(
      '--name <property>',
      'property with the name of a region; by default one of the usual ones',
    )
    .option('--code <property>', 'property with the code of a region')
    .option('--json', 'the report as JSON')
    .action(load);
  command
    .command('remove')
    .description('remove loaded boundaries, so that maps draw the built-in ones')
    .option('--json', 'as JSON')
    .action(remove);
  return command;
}

function list({ json }: { readonly json?: boolean }): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const loaded = loadedBoundaries(data);
  if (json) return printJson(loaded.map(({ lines: _lines, ...facts }) => facts));
  if (loaded.length === 0) {
    return print('Nothing is loaded: maps draw the built-in borders of 2018 (KOGL type 1).');
  }
  for (const { level, file, license, credit, loadedAt, regions } of loaded) {
    print(
      `${level}: ${withNoun(regions.length, 'region')} of ${oneLine(file)}, ${loadedAt.slice(0, 10)}`,
    );
    print(`  ${credit} (${boundaryLicenses[license].en})`);
  }
}

function loadedBoundaries(data: string): StoredBoundaries[] {
  using opened = OpenedSnapshot.current(data);
  return opened?.boundaries() ?? [];
}

function load(file: string, options: LoadOptions, command: Command): void {
  const { MARU_DATA: data } = readSettings(process.env);
  const { json, ...rest } = options;
  let report: ReturnType<typeof importBoundaries>;
  try {
    report = importBoundaries(data, file, rest);
  } catch (error) {
    if (error instanceof MissingTerms) command.error(`error: ${error.message}`);
    throw error;
  }
  if (json) return printJson(report);
  const { level, features, regions, unmatched, missing, license, credit, snapshot } = report;
  const matched = features - unmatched.length;
  print(
    `${formatCount(matched)} of ${withNoun(features, 'feature')} matched ${withNoun(regions, 'region')} (${level}).`,
  );
  printSome(
    'Not matched',
    unmatched.map(
      ({ name, code, reason }) => `${name ?? code ?? 'without a name'}: ${reasons[reason]}`,
    ),
  );
  printSome(
    'Not in the file; built-in borders are drawn',
    missing.map(({ code, name }) => `${code} ${name}`),
  );
  print(`Under each map: ${credit} (${boundaryLicenses[license].en}).`);
  print(`Published as snapshot ${snapshot}.`);
}

const reasons = {
  unknown: 'no region has this name, nor its code there',
  divided: 'divided into several regions today',
  ambiguous: 'several regions have this name, and none lies there',
  no_area: 'not a polygon',
  elsewhere: 'outside of Korea',
  other_level: 'not of the level of the other features',
} as const;

function printSome(heading: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  print(`${heading} (${formatCount(lines.length)}):`);
  for (const line of lines.slice(0, shownMax)) print(`  ${oneLine(line)}`);
  if (lines.length > shownMax) print(`  and ${formatCount(lines.length - shownMax)} more (--json)`);
}

const shownMax = 10;

function remove({ json }: { readonly json?: boolean }): void {
  const { MARU_DATA: data } = readSettings(process.env);
  if (loadedBoundaries(data).length === 0) {
    return json ? printJson({ snapshot: null }) : print('Nothing is loaded.');
  }
  using builder = new SnapshotBuilder(data);
  builder.dropBoundaries();
  const snapshot = builder.publish('Removed the loaded boundaries.');
  if (json) return printJson({ snapshot });
  print(`Removed; published as snapshot ${snapshot}.`);
}
