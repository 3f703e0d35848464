/** Failures of the database rather than of a statement. The drivers convert their engine's errors to these. */
type FaultKind = keyof typeof sentences;

const sentences = {
  /** Conflicts with another transaction: a retry may succeed. */
  contended: 'Conflicting transaction',
  /** Unreachable, starting, or too slow. */
  unavailable: "The database doesn't respond",
  /** Another program has held a lock for too long. */
  held: 'Another program has locked the database',
  /** Disk full, or quota used up. */
  full: 'The database is out of disk space',
};

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** A referenced row is missing. If it was deleted since it was read, a retry finds it gone; otherwise it's a bug. */
export class ForeignKeyViolation extends Error {
  constructor(cause: unknown) {
    super(`Referenced row is missing: ${messageOf(cause)}`, { cause });
  }
}

export class DatabaseFault extends Error {
  readonly kind: FaultKind;
  /** Logged without a stack, which wouldn't help. */
  readonly hidesStack = true;
  /** Whether the database has logged the cause, once for all statements that it fails. */
  readonly alreadyLogged: boolean;

  /**
   * @param cause the error of the engine or the network
   */
  constructor(kind: FaultKind, cause: unknown, { alreadyLogged = kind === 'held' } = {}) {
    super(`${sentences[kind]}: ${messageOf(cause)}`, { cause });
    this.kind = kind;
    this.alreadyLogged = alreadyLogged;
  }
}
