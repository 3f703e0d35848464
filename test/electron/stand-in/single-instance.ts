/** The lock that one instance holds on a profile, and how a second one reaches it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

type Second = (argv: string[], workingDirectory: string) => void;

/** True for the first instance. A second one has told the first of its arguments by the time that it gets false. */
export function acquireLock(userData: string, onSecond: Second): boolean {
  mkdirSync(userData, { recursive: true });
  const path = join(userData, 'SingletonSocket');
  if (existsSync(path) && tellFirst(path)) return false;
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => {
      const { argv, workingDirectory } = JSON.parse(text);
      socket.end();
      onSecond(argv, workingDirectory);
    });
  });
  server.listen(path);
  server.unref();
  process.once('exit', () => rmSync(path, { force: true }));
  return true;
}

/** The lock is asked for without waiting, so another process does the waiting. */
function tellFirst(path: string): boolean {
  const message = JSON.stringify({ argv: process.argv, workingDirectory: process.cwd() });
  const script = `
    const socket = require('node:net').connect(${JSON.stringify(path)}, () => socket.end(${JSON.stringify(message)}));
    socket.on('error', () => process.exit(1));
    socket.resume();
    socket.on('end', () => process.exit(0));`;
  return spawnSync(process.execPath, ['-e', script], { env: {} }).status === 0;
}
