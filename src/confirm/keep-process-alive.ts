const longestMs = 2_147_483_647;

/**
 * Keeps a Node process from ending while somebody awaits a result of ours. The timers of a clock never do, so a program
 * that waits for nothing else would otherwise end in the middle of the wait. Returns the stop.
 */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, longestMs);
  return () => clearInterval(timer);
}
