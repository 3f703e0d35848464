/** An error reply: its status and body. */
export class MatrixError extends Error {
  readonly status: number;
  readonly errcode: string;
  /** Further members of the body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    errcode: string,
    sentence: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(sentence);
    this.name = 'MatrixError';
    this.status = status;
    this.errcode = errcode;
    this.details = details;
  }

  get body(): Readonly<Record<string, unknown>> {
    return { errcode: this.errcode, error: this.message, ...this.details };
  }
}

/** The remaining stages of interactive authentication. Without an error code, which clients would show as an error. */
export class StagesLeft extends MatrixError {
  constructor(details: Readonly<Record<string, unknown>>) {
    super(401, 'M_UNAUTHORIZED', 'Additional authentication required', details);
  }

  override get body(): Readonly<Record<string, unknown>> {
    return this.details;
  }
}

/** Ignores a MatrixError and rethrows other errors. Pass to `catch`. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MatrixError)) throw error;
}

export const notFound = (sentence: string) => new MatrixError(404, 'M_NOT_FOUND', sentence);
export const forbidden = (sentence: string) => new MatrixError(403, 'M_FORBIDDEN', sentence);
export const badJson = (sentence: string) => new MatrixError(400, 'M_BAD_JSON', sentence);
export const notJson = (sentence: string) => new MatrixError(400, 'M_NOT_JSON', sentence);
export const invalidParameter = (sentence: string) => new MatrixError(400, 'M_INVALID_PARAM', sentence);
export const missingParameter = (sentence: string) => new MatrixError(400, 'M_MISSING_PARAM', sentence);

/** A soft logout: clients keep their data, as the account may be unlocked. */
export const userLocked = () =>
  new MatrixError(401, 'M_USER_LOCKED', 'User account has been locked', { soft_logout: true });

export const accountDeactivated = () =>
  new MatrixError(403, 'M_USER_DEACTIVATED', 'This account has been deactivated');

/** @param softLogout lets the client keep its data until the user logs in again */
export const unknownToken = (sentence: string, { softLogout = false } = {}) =>
  new MatrixError(401, 'M_UNKNOWN_TOKEN', sentence, { soft_logout: softLogout });

/** For unknown paths and disabled endpoints. */
export const unrecognized = () => new MatrixError(404, 'M_UNRECOGNIZED', 'Unrecognized request');
/** For errors without a more specific code. */
export const unknownError = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
