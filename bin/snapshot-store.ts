import { InvalidArgumentError, type Command } from 'commander';
import { cleanStore, graceMsByDefault, keptByDefault } from '../src/data/remote/clean.ts';
import type { FollowFault } from '../src/data/remote/follow-state.ts';
import { followFault, followStore } from '../src/data/remote/follow-store.ts';
import type { ObjectStore } from '../src/data/remote/object-store.ts';
import { openStore } from '../src/data/remote/open-store.ts';
import { pullSnapshot, type PullFacts } from '../src/data/remote/pull.ts';
import { pushSnapshot, writerId } from '../src/data/remote/push.ts';
import type { TransferProgress } from '../src/data/remote/transfer-progress.ts';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, print, printJson, ProgressLine, withNoun } from './terminal.ts';

interface PullFlags {
  readonly json?: boolean;
  readonly replace?: boolean;
}

interface CleanFlags {
  readonly json?: boolean;
  readonly keep: number;
  readonly hours: number;
}

interface PushFlags extends CleanFlags {
  readonly again?: boolean;
  readonly replace?: boolean;
}

const addressHelp =
  's3://bucket/prefix, https://host/path or a folder; MARU_SNAPSHOTS_URL by default';

/** Adds the commands that move snapshots between machines. */
export function addStoreCommands(snapshot: Command): void {
  withCleaning(
    snapshot
      .command('push')
      .description(
        'push the current snapshot to a store: the files that it lacks, then the pointer. One machine pushes at a ' +
          'time. A push that was stopped goes on with the same command.',
      )
      .argument('[url]', addressHelp),
  )
    .option('--again', 'upload every file again, to repair objects with wrong bytes')
    .option('--replace', 'replace a snapshot that another data folder pushed')
    .option('--json', 'as JSON')
    .action(push);
  snapshot
    .command('pull')
    .description(
      'fetch the current snapshot of a store, check it and point to it. Running servers follow within a second.',
    )
    .argument('[url]', addressHelp)
    .option('--replace', 'replace a snapshot of the same id that was built here')
    .option('--json', 'as JSON')
    .action(pull);
  snapshot
    .command('follow')
    .description(
      'pull each snapshot of a store until stopped, for servers that read the same data folder. `serve` with ' +
        'MARU_SNAPSHOTS_URL follows by itself.',
    )
    .argument('[url]', addressHelp)
    .action(follow);
  withCleaning(
    snapshot
      .command('clean')
      .description(
        'remove old snapshots from a store, and the objects that no other snapshot needs',
      )
      .argument('[url]', addressHelp),
  )
    .option('--json', 'as JSON')
    .action(clean);
}

function withCleaning(command: Command): Command {
  return command
    .option('--keep <n>', 'snapshots that stay in the store', countFrom(1), keptByDefault)
    .option(
      '--hours <n>',
      'hours for which the objects of a removed snapshot stay, since a follower may be fetching them',
      countFrom(0),
      graceMsByDefault / hourMs,
    );
}

const hourMs = 3_600_000;

function countFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to 999999.`);
  };
}

async function push(url: string | undefined, flags: PushFlags): Promise<void> {
  const { store, data } = openWith(url);
  using progress = new ProgressLine();
  using stop = stopSignal();
  const facts = await withSentence(stop.signal, () =>
    pushSnapshot(store, data, {
      ...cleaningOf(flags),
      isAgain: flags.again === true,
      isReplacement: flags.replace === true,
      signal: stop.signal,
      onProgress: (state) => progress.update(() => lineOf('Pushing', state)),
    }),
  );
  if (!facts.isGuarded) {
    progress.note(
      `${store.name} ignores conditional writes, so two machines could push over each other. Push from one machine alone.`,
    );
  }
  if (flags.json) return printJson(facts);
  const { id, objectsWritten, bytesWritten, objectsRemoved } = facts;
  const removed = objectsRemoved === 0 ? '' : `, ${withNoun(objectsRemoved, 'object')} removed`;
  print(
    `Pushed ${id} to ${store.name}: ${withNoun(objectsWritten, 'object')}, ${sizeOf(bytesWritten)} written${removed}.`,
  );
}

async function pull(url: string | undefined, { json, replace }: PullFlags): Promise<void> {
  const { store, data } = openWith(url);
  using progress = new ProgressLine();
  using stop = stopSignal();
  const facts = await withSentence(stop.signal, () =>
    pullSnapshot(store, data, {
      isReplacement: replace === true,
      signal: stop.signal,
      onProgress: (state) => progress.update(() => lineOf('Pulling', state)),
    }),
  );
  // Without a known tag there is always an answer.
  if (facts === 'unchanged') return;
  if (json) return printJson(facts);
  print(facts.isNew ? pulledLine(store, facts) : `${facts.id} is already the current snapshot.`);
}

async function follow(url: string | undefined): Promise<void> {
  const { store, data } = openWith(url);
  using progress = new ProgressLine();
  using stop = stopSignal('Stopped.');
  let fault: FollowFault | null = null;
  progress.note(`Following ${store.name}. Stop with Ctrl-C.`);
  await followStore(store, data, {
    signal: stop.signal,
    onPulled: (facts) => progress.note(pulledLine(store, facts)),
    onChecked: (next) => {
      if (next !== null && next.code !== fault?.code) progress.note(next.message);
      if (next === null && fault !== null) progress.note(`${store.name} can be followed again.`);
      fault = next;
    },
    onProgress: (state) => progress.update(() => lineOf('Pulling', state)),
  });
}

async function clean(url: string | undefined, flags: CleanFlags): Promise<void> {
  const { store, data } = openWith(url);
  using stop = stopSignal();
  const options = { ...cleaningOf(flags), signal: stop.signal };
  const facts = await withSentence(stop.signal, () => cleanStore(store, writerId(data), options));
  if (flags.json) return printJson(facts);
  const { dropped, objectsRemoved } = facts;
  const ids = dropped.length === 0 ? 'no snapshot' : dropped.join(', ');
  print(`Removed ${ids} and ${withNoun(objectsRemoved, 'object')} from ${store.name}.`);
}

function openWith(url: string | undefined): { store: ObjectStore; data: string } {
  const environment = url === undefined ? {} : { MARU_SNAPSHOTS_URL: url };
  const settings: Settings = readSettings({ ...process.env, ...environment });
  return { store: openStore(settings), data: settings.MARU_DATA };
}

function cleaningOf({ keep, hours }: CleanFlags): { keep: number; graceMs: number } {
  return { keep, graceMs: hours * hourMs };
}

/** Runs `work` and turns a full disk and other faults of files into a sentence. */
async function withSentence<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new Error(followFault(error).message, { cause: error });
  }
}

function pulledLine({ name }: ObjectStore, facts: PullFacts): string {
  const { id, objectsFetched, bytesFetched } = facts;
  return `Pulled ${id} from ${name}: ${withNoun(objectsFetched, 'object')}, ${sizeOf(bytesFetched)} fetched.`;
}

function lineOf(verb: string, { files, filesTotal, bytes, bytesTotal }: TransferProgress): string {
  return `${verb}: ${formatCount(files)} of ${withNoun(filesTotal, 'file')}, ${sizeOf(bytes)} of ${sizeOf(bytesTotal)}`;
}

function sizeOf(bytes: number): string {
  return bytes < 1e6
    ? `${formatCount(Math.ceil(bytes / 1e3))} kB`
    : `${formatCount(Math.ceil(bytes / 1e6))} MB`;
}
