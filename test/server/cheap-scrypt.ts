/** Loaded into a process before its program (`node --import`): passwords cost it next to nothing. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

crypto.scrypt = ((password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 2 ** 4, p: 1 }, done)) as typeof scrypt;
syncBuiltinESMExports();
