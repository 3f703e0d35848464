/**
 * Preloaded with `node --import`: kills the process before the KILL_AT-th call of a function in KILL_BEFORE for a
 * file below KILL_BELOW. Work in progress dies with it. KILL_WITH sends that signal instead. With KILL_OR_HOLD=hold
 * the process pauses there: it reports this on its fourth stream and continues after input on it.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { KILL_BELOW: below = '', KILL_BEFORE: before = '', KILL_AT: at, KILL_OR_HOLD: how } = process.env;
const signal = process.env.KILL_WITH ?? 'SIGKILL';
let calls = 0;

function hold(): void {
  fs.writeSync(3, 'held');
  fs.readSync(3, Buffer.alloc(1));
}

// biome-ignore lint/suspicious/noExplicitAny: all arguments are passed on
type Change = (...values: any[]) => any;

const killedAt =
  (change: Change): Change =>
  (...values) => {
    if (values.slice(0, 2).some((value) => typeof value === 'string' && value.startsWith(below))) {
      if (++calls === Number(at)) {
        if (how === 'hold') hold();
        else process.kill(process.pid, signal);
      }
    }
    return change(...values);
  };

for (const name of before.split(',')) {
  const isPromised = name !== 'createWriteStream' && !name.endsWith('Sync');
  const functions = (isPromised ? promises : fs) as unknown as Record<string, Change>;
  const change = functions[name];
  if (change) functions[name] = killedAt(change);
}
syncBuiltinESMExports();
