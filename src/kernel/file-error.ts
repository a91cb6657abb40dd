/** An error of the file system as a sentence that names the path; null for any other error. */
export function fileErrorSentence(error: unknown, path?: string): string | null {
  if (!(error instanceof Error)) return null;
  const { code = '', path: errorPath } = error as NodeJS.ErrnoException;
  const meaning = meanings[code];
  const shownPath = path ?? errorPath;
  if (meaning === undefined || shownPath === undefined) return null;
  return `${shownPath}: ${meaning} (${code}).`;
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this user may not read or write it',
  EPERM: 'the system does not permit this operation on it',
  ELOOP: 'its symbolic links form a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  EIO: 'the disk cannot read or write it',
};
