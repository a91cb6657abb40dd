/**
 * Runs a loop over many records as a function of its own. Where a loop is inlined, V8 compiles it together with its
 * caller, which is called too rarely to be optimised well, and the loop takes twice the time. V8 never inlines the call
 * below, because it has several targets.
 */
export function runWithoutInlining<Parameters extends readonly unknown[], Result>(
  loop: (...parameters: Parameters) => Result,
  ...parameters: Parameters
): Result {
  return loop(...parameters);
}
