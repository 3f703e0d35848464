import type { DialectName } from '../../shared/dialect.ts';

/** The API paths the console uses: Synapse's in `npm test`, the built-in server's own in `npm run test:matrix`. */
export const testedDialect: DialectName = process.env.DIALECT === 'vendor' ? 'vendor' : 'matrix';
