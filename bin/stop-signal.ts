/**
 * Makes a signal that SIGINT (Ctrl-C) or SIGTERM aborts, with `message` in its reason. A second one ends the process.
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

/**
 * The end of a command by a signal, with the exit code of shells: 128 and the number of the signal.
 */
export class StopError extends Error {
  readonly exitCode: number;

  constructor(message: string, signal: 'SIGINT' | 'SIGTERM') {
    super(message);
    this.name = 'StopError';
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}
