/**
 * Loaded before a program (`node --import`): kills it right before the KILL_AT-th call of one of the functions KILL_BEFORE
 * for a file below KILL_BELOW, with everything that it has begun by then.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { KILL_BELOW: below = '', KILL_BEFORE: before = '', KILL_AT: at } = process.env;
let calls = 0;

// biome-ignore lint/suspicious/noExplicitAny: whatever they take is handed on
type Change = (...values: any[]) => any;

const killedAt =
  (change: Change): Change =>
  (...values) => {
    if (values.slice(0, 2).some((value) => typeof value === 'string' && value.startsWith(below))) {
      if (++calls === Number(at)) process.kill(process.pid, 'SIGKILL');
    }
    return change(...values);
  };

const functions: Record<string, unknown> = promises;
for (const name of before.split(',')) {
  if (name === 'createWriteStream') fs.createWriteStream = killedAt(fs.createWriteStream);
  else functions[name] = killedAt(functions[name] as Change);
}
syncBuiltinESMExports();
