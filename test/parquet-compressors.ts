import { zstdDecompressSync } from 'node:zlib';

/** Decoders that `hyparquet` needs beside its own. */
export const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
