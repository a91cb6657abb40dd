import asyncHooks, { AsyncResource, type HookCallbacks } from 'node:async_hooks';

/**
 * Loaded before the parts of a whole run. Node’s runner tracks every promise, timer and socket, to learn which test
 * threw an error. Its hook makes an `await` ten times as expensive, which is a fifth of the time of a run. Here it sees
 * only its own tests. An error that no test waits for then fails its part without the name of the test;
 * `node test/run.ts FILE` names it.
 */
let runner: HookCallbacks | undefined;
const unused = { enable: () => unused, disable: () => unused };

/** The runner makes a resource of each of its tests; only these reach its hook. */
class TestResource extends AsyncResource {
  constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
    super(type, options);
    runner?.init?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
}

Object.assign(asyncHooks, {
  AsyncResource: TestResource,
  createHook(callbacks: HookCallbacks) {
    runner = callbacks;
    return unused;
  },
});
