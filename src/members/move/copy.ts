import type pg from 'pg';

/** Runs `COPY … TO STDOUT` and returns its lines. */
export async function copyOut(client: pg.Client, sql: string): Promise<readonly string[]> {
  const chunks = await run(client, sql, null);
  return Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1);
}

/** Runs `COPY … FROM STDIN` with lines. Either all rows are stored or none. */
export async function copyIn(
  client: pg.Client,
  sql: string,
  lines: readonly string[],
): Promise<void> {
  await run(client, sql, Buffer.from(`${lines.join('\n')}\n`));
}

/** The driver leaves both directions to such a query object. */
function run(client: pg.Client, sql: string, input: Buffer | null): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const query = {
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(input!);
        connection.endCopyFrom();
      },
      // The driver writes the next message over the bytes.
      handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => chunks.push(Buffer.from(chunk)),
      handleCommandComplete: () => {},
      handleError: reject,
      handleReadyForQuery: () => resolve(chunks),
      // The driver gives queries without one its own.
      callback: () => {},
    };
    client.query(query);
  });
}

/** Methods that the types of the driver lack. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
