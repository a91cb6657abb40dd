/** True if a host name means this machine. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|(?:[\w-]+\.)+localhost)$/.test(hostname);
}
