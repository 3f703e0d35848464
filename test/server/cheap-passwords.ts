/** Runs before each test file: makes password hashing cheap for homeservers in this process. */
import { passwordCost } from '../../server/identity/accounts/passwords.ts';

export const realPasswordCost = { N: 2 ** 15, r: 8, p: 3 };

Object.assign(passwordCost, { N: 2 ** 4, r: 8, p: 1 });
