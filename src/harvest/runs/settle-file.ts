import { FileRefused } from '../../ingest/files/refused.ts';
import { settlePages, type ComparedFacts } from './settle-pages.ts';

/** A downloaded copy of a file. */
interface FileCopy<Content> {
  readonly sha256: string;
  /** Throws `FileRefused` for a file that cannot be read. */
  read(): Promise<Content>;
  /** True for a file that looks cut off. */
  isOdd(content: Content): boolean;
}

/** Downloads a file again while it is odd or unreadable, until two copies are equal; reads each copy. */
export async function settleFile<Content>(
  download: (copy: number) => Promise<FileCopy<Content>>,
): Promise<Content> {
  let last: FileFacts<Content> | undefined;
  await settlePages<FileFacts<Content>>(
    async (_, copy) => (last = await factsOf(await download(copy))),
    { isOdd: ([file]) => file!.facts.isOdd, hasNext: () => false },
  );
  return last!.content();
}

interface FileFacts<Content> extends ComparedFacts {
  readonly isOdd: boolean;
  /** Throws the `FileRefused` of a file that cannot be read. */
  content(): Content;
}

async function factsOf<Content>(file: FileCopy<Content>): Promise<FileFacts<Content>> {
  const compared = { digest: file.sha256, total: null };
  try {
    const content = await file.read();
    return { ...compared, isOdd: file.isOdd(content), content: () => content };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const refuse = (): never => {
      throw error;
    };
    return { ...compared, isOdd: true, content: refuse };
  }
}
