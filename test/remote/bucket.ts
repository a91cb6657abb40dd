import S3rver from '@20minutes/s3rver';
import { join } from 'node:path';

/** A bucket of a real S3 server in this process. */
export interface Bucket extends AsyncDisposable {
  readonly url: string;
  readonly endpoint: string;
  /** Variables with which a command reaches it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts an S3 server with a bucket in a folder. It checks signatures, but neither `If-Match` nor `If-None-Match`. */
export async function startBucket(folder: string): Promise<Bucket> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 'bucket'),
    configureBuckets: [{ name: 'maru' }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    url: 's3://maru/data',
    endpoint,
    environment: {
      MARU_SNAPSHOTS_URL: 's3://maru/data',
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}
