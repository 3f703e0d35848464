// Sends this process SIGTERM when the npm or npx that started it is gone. npm forwards signals only to its shell,
// which exits without its child, and a killed npm forwards none.
const { readFileSync } = require('node:fs');

const interval = 500;
const started = startedByNpm(process.ppid);

if (started) {
  const isOver = () => process.ppid !== started.parent || !isRunning(started.npm);
  const timer = setInterval(() => {
    if (!isOver()) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, interval);
  timer.unref();
}

/** Returns undefined unless npm is the parent, or the parent of the parent shell. Other parents may exit first. */
function startedByNpm(parent) {
  // Only Linux has /proc. Elsewhere, programs that npm didn't start directly also inherit its variables.
  if (process.platform !== 'linux') return process.env.npm_lifecycle_event && { parent, npm: parent };
  const { name, parent: grandparent } = readProcess(parent);
  if (isNpm(name)) return { parent, npm: parent };
  return name === 'sh' && isNpm(readProcess(grandparent).name) ? { parent, npm: grandparent } : undefined;
}

/** npm sets its process title: `npm run …`, `npm start` or `npm exec …`. */
function isNpm(name) {
  return /^npm( |$)/.test(name);
}

function readProcess(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return {};
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
