/**
 * Makes an `AbortSignal` that SIGINT (Ctrl-C) or SIGTERM aborts with a `StopError`. A second SIGINT or SIGTERM ends the
 * process.
 */
export function stopSignal(
  message = 'Stopped. The same command resumes it.',
): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const release = (): void => {
    for (const name of names) process.off(name, stop);
  };
  const stop = (name: (typeof names)[number]): void => {
    release();
    controller.abort(new StopError(message, name));
  };
  for (const name of names) process.on(name, stop);
  return { signal: controller.signal, [Symbol.dispose]: release };
}

/** A command was stopped by a signal. The exit code is that of shells: 128 plus the number of the signal. */
export class StopError extends Error {
  readonly exitCode: number;

  constructor(message: string, signal: 'SIGINT' | 'SIGTERM') {
    super(message);
    this.name = 'StopError';
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}
