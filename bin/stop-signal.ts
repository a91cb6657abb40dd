/** A signal that Ctrl-C or a stop of the system aborts; the second Ctrl-C ends the process at once. */
export function stopSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const release = (): void => {
    for (const name of names) process.off(name, stop);
  };
  const stop = (): void => {
    release();
    controller.abort(new Error('Stopped. The same command goes on where it was.'));
  };
  for (const name of names) process.on(name, stop);
  return { signal: controller.signal, [Symbol.dispose]: release };
}
