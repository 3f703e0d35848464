// Sends this process SIGTERM when the npm or npx that started it is gone. npm passes signals on to a shell only, which
// ends without its child, and a killed npm passes nothing on.
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

/** Returns undefined unless npm is the parent, or the parent of the shell that is. Otherwise parents may come and go. */
function startedByNpm(parent) {
  // Elsewhere than on Linux only the parent is known, and the variables are inherited by programs that npm did not start.
  if (process.platform !== 'linux') return process.env.npm_lifecycle_event && { parent, npm: parent };
  const { name, parent: grandparent } = readProcess(parent);
  if (isNpm(name)) return { parent, npm: parent };
  return name === 'sh' && isNpm(readProcess(grandparent).name) ? { parent, npm: grandparent } : undefined;
}

/** As npm titles itself: `npm run …`, `npm start` or `npm exec …`. */
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
