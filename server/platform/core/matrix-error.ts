/** A refusal: what the client gets as status and body. */
export class MatrixError extends Error {
  readonly status: number;
  readonly errcode: string;
  /** What the body holds beside `errcode` and `error`. */
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

/**
 * The reply that says which stages of interactive authentication are left. Nothing has gone wrong, so it has no
 * error code, by which clients would tell their users that something has.
 */
export class StagesLeft extends MatrixError {
  constructor(details: Readonly<Record<string, unknown>>) {
    super(401, 'M_UNAUTHORIZED', 'Additional authentication required', details);
  }

  override get body(): Readonly<Record<string, unknown>> {
    return this.details;
  }
}

/** Swallows a refusal; throws everything else. Pass to `catch`. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MatrixError)) throw error;
}

export const notFound = (sentence: string) => new MatrixError(404, 'M_NOT_FOUND', sentence);
export const forbidden = (sentence: string) => new MatrixError(403, 'M_FORBIDDEN', sentence);
export const badJson = (sentence: string) => new MatrixError(400, 'M_BAD_JSON', sentence);
export const notJson = (sentence: string) => new MatrixError(400, 'M_NOT_JSON', sentence);
export const invalidParameter = (sentence: string) => new MatrixError(400, 'M_INVALID_PARAM', sentence);
export const missingParameter = (sentence: string) => new MatrixError(400, 'M_MISSING_PARAM', sentence);

/** A client keeps what it has of a locked account, because it may be unlocked. */
export const userLocked = () =>
  new MatrixError(401, 'M_USER_LOCKED', 'User account has been locked', { soft_logout: true });

/** For whoever was let in before the account ended, and who logs in after that. */
export const accountDeactivated = () =>
  new MatrixError(403, 'M_USER_DEACTIVATED', 'This account has been deactivated');

/** With `softLogout` a client keeps what it has, for when its user logs in again. */
export const unknownToken = (sentence: string, { softLogout = false } = {}) =>
  new MatrixError(401, 'M_UNKNOWN_TOKEN', sentence, { soft_logout: softLogout });

/** A path that is not known, or one that the configuration has switched off. */
export const unrecognized = () => new MatrixError(404, 'M_UNRECOGNIZED', 'Unrecognized request');
/** A request that makes sense but not here and now, for which there is no better code. */
export const unknownError = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
