/** A message to a process of `serve --processes` from the process that started it. */
export type StarterMessage =
  /** Stop as on SIGTERM. */
  { readonly kind: 'stop' | 'metrics-wanted' } | Text<'all-metrics'>;

/** A message from a process of `serve --processes` to the process that started it. */
export type WorkerMessage = { readonly kind: 'all-metrics-wanted' } | Text<'metrics'>;

/** Metrics as a text, of one process or of all. */
interface Text<Kind extends string> {
  readonly kind: Kind;
  readonly text: string;
}
