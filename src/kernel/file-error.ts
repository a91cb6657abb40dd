import type { BilingualText } from '../contract/language.ts';

/** An error of the file system as an English sentence that names the path; null for any other error. */
export function fileErrorSentence(error: unknown, path?: string): string | null {
  return fileErrorText(error, path)?.en ?? null;
}

/** An error of the file system as a sentence that names the path, in both languages; null for any other error. */
export function fileErrorText(error: unknown, path?: string): BilingualText | null {
  if (!(error instanceof Error)) return null;
  const { code = '', path: errorPath } = error as NodeJS.ErrnoException;
  const meaning = meanings[code];
  const shownPath = path ?? errorPath;
  if (meaning === undefined || shownPath === undefined) return null;
  return {
    ko: `${shownPath}: ${meaning.ko} (${code}).`,
    en: `${shownPath}: ${meaning.en} (${code}).`,
  };
}

const meanings: Readonly<Record<string, BilingualText>> = {
  ENOENT: { ko: '없는 파일이나 폴더입니다', en: 'there is no such file or folder' },
  ENOTDIR: {
    ko: '경로의 중간이 폴더가 아니라 파일입니다',
    en: 'a part of the path is a file, not a folder',
  },
  EISDIR: { ko: '파일이 아니라 폴더입니다', en: 'it is a folder, not a file' },
  EACCES: { ko: '읽거나 쓸 권한이 없습니다', en: 'this user may not read or write it' },
  EPERM: {
    ko: '운영체제가 허용하지 않는 작업입니다',
    en: 'the system does not permit this operation on it',
  },
  ELOOP: { ko: '심볼릭 링크가 서로를 가리킵니다', en: 'its symbolic links form a circle' },
  ENAMETOOLONG: { ko: '이름이 너무 깁니다', en: 'the name is too long' },
  ENOSPC: { ko: '디스크가 가득 찼습니다', en: 'the disk is full' },
  EDQUOT: { ko: '디스크 할당량을 모두 사용했습니다', en: 'the disk quota is used up' },
  EROFS: { ko: '읽기 전용 디스크입니다', en: 'the disk is read-only' },
  EMFILE: { ko: '열린 파일이 너무 많습니다', en: 'too many files are open' },
  EIO: { ko: '디스크에서 읽거나 쓸 수 없습니다', en: 'the disk cannot read or write it' },
};
