/**
 * Loaded before all else: a server that is told to stop before it has begun anything ends as one that runs does. In a
 * container it would not even be ended by the signal.
 */
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Whatever started this program may have seen to it already.
    if (process.listenerCount(signal) > 0) continue;
    process.on(signal, () => {
      // What has begun something since has a handler of its own.
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
  }
}
