import type { StoredVersion, VersionStore } from './version-store.ts';

/** Choice of a stored version: by its key, or as the newest up to a day. */
export type VersionChoice = { readonly key: string } | { readonly asOf: string };

/** The chosen version; the newest without a choice. If it is not stored, throws an error with the command to get it. */
export function chosenVersion(
  store: VersionStore,
  number: string,
  choice: VersionChoice | null,
): StoredVersion {
  const versions = store.versions();
  const found = choice === null ? versions[0] : versions.find((each) => isChosen(each, choice));
  if (found !== undefined) return found;
  if (versions.length === 0) {
    throw new Error(
      `No version of file_${number} is stored: run \`./maru collect file_${number}\`.`,
    );
  }
  const description = choice !== null && 'key' in choice ? choice.key : `up to ${choice?.asOf}`;
  throw new Error(
    `No version ${description} of file_${number} is stored: \`./maru collect versions file_${number}\` ` +
      `lists them, \`./maru collect file_${number} --history\` downloads the earlier ones.`,
  );
}

function isChosen({ key, date, takenAt }: StoredVersion, choice: VersionChoice): boolean {
  return 'key' in choice ? key === choice.key : (date ?? takenAt.slice(0, 10)) <= choice.asOf;
}
