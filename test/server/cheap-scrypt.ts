/** Makes password hashing cheap in a process, preloaded with `node --import`. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

crypto.scrypt = ((password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 2 ** 4, p: 1 }, done)) as typeof scrypt;
syncBuiltinESMExports();
