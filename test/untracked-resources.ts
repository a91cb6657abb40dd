import asyncHooks, { AsyncResource, type HookCallbacks } from 'node:async_hooks';

/**
 * Loaded before the parts of a whole run: shows Node’s runner its own tests, and no promise, timer or socket, by which it
 * learns which test threw. Its hook makes an `await` ten times as expensive, a fifth of a run. An error that
 * is thrown where no test waits for it then fails its part without naming the test; `node test/run.ts FILE` does.
 */
let runner: HookCallbacks | undefined;
const unused = { enable: () => unused, disable: () => unused };

/** A test of the runner is such a resource. */
class ShownResource extends AsyncResource {
  constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
    super(type, options);
    runner?.init?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
}

Object.assign(asyncHooks, {
  AsyncResource: ShownResource,
  createHook(callbacks: HookCallbacks) {
    runner = callbacks;
    return unused;
  },
});
