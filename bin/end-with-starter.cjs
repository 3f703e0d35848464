// Loaded with --require by the server that bin/gatehouse.js starts on the project's own Node. Ends the server when
// its parent ends, even by SIGKILL: otherwise it would keep running, with the data locked.
const { isMainThread } = require('node:worker_threads');

// Node also loads this file in worker threads, which have no IPC channel.
if (isMainThread) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
  // Child processes end with this one, not with its parent.
  process.execArgv.splice(process.execArgv.indexOf('--require'), 2);
}
