/** The single-instance lock of a profile, and the channel for later instances. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

type Second = (argv: string[], workingDirectory: string) => void;

/**
 * Returns true for the first instance. Otherwise returns false, after passing this instance's arguments to the first
 * one.
 */
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

/** `requestSingleInstanceLock` is synchronous, so another process does the asynchronous work. */
function tellFirst(path: string): boolean {
  const message = JSON.stringify({ argv: process.argv, workingDirectory: process.cwd() });
  const script = `
    const socket = require('node:net').connect(${JSON.stringify(path)}, () => socket.end(${JSON.stringify(message)}));
    socket.on('error', () => process.exit(1));
    socket.resume();
    socket.on('end', () => process.exit(0));`;
  return spawnSync(process.execPath, ['-e', script], { env: {} }).status === 0;
}
