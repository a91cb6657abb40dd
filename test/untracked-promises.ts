import asyncHooks, { createHook, type HookCallbacks } from 'node:async_hooks';

/**
 * Loaded before the parts of a whole run: keeps promises from the hook by which Node’s runner learns which test threw.
 * The hook makes an `await` ten times as expensive, a sixth of a run. An error that is thrown where no test waits for
 * it then fails its part without naming the test; `node test/run.ts FILE` does.
 */
Object.assign(asyncHooks, {
  createHook: (callbacks: HookCallbacks) => createHook({ ...callbacks, trackPromises: false }),
});
