/** Before each file of tests: passwords of homeservers in this process cost next to nothing. */
import { passwordCost } from '../../server/identity/accounts/passwords.ts';

export const realPasswordCost = { N: 2 ** 15, r: 8, p: 3 };

Object.assign(passwordCost, { N: 2 ** 4, r: 8, p: 1 });
