/** Progress of a push or a pull. Bytes are those of the plain files. */
export interface TransferProgress {
  readonly files: number;
  readonly filesTotal: number;
  readonly bytes: number;
  readonly bytesTotal: number;
}
