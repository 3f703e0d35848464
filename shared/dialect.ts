/** The two sets of API paths: Matrix's and Synapse's own (`matrix`), and generic ones (`vendor`). */

export type DialectName = 'vendor' | 'matrix';

export type Dialect = {
  name: DialectName;
  /** Prefix of the administration API, without a trailing slash. */
  administration: string;
  /** Prefix of the client and federation APIs, without a trailing slash. */
  chat: string;
  /** The login type that accepts a JSON Web Token. */
  jwtLoginType: string;
  /** Prefix of error codes that no specification has accepted yet. */
  errorCodePrefix: string;
};

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  vendor: {
    name: 'vendor',
    administration: '/_service',
    chat: '/_chat',
    jwtLoginType: 'org.vendor.login.jwt',
    errorCodePrefix: 'IO.VENDOR',
  },
  matrix: {
    name: 'matrix',
    administration: '/_synapse',
    chat: '/_matrix',
    jwtLoginType: 'org.matrix.login.jwt',
    errorCodePrefix: 'IO.ELEMENT',
  },
};

export const dialectNames = Object.keys(dialects) as DialectName[];
