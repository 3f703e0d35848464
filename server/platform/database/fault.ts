/**
 * What a database can't do for a reason that is not the statement's: it lost a race, doesn't answer, or has no
 * room left. Every engine's own errors of these kinds become faults where statements are run.
 */
export type FaultKind = keyof typeof sentences;

const sentences = {
  /** Another transaction was in the way: the same work may go through when it is done again. */
  contended: 'Conflicting transaction',
  /** The database is gone, starting, or takes too long. */
  unavailable: "The database doesn't respond",
  /** Another program keeps what this one needs, and has done so for long. */
  held: 'Another program has locked the database',
  /** Nothing more can be written until somebody makes room. */
  full: 'The database is out of disk space',
};

const said = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/**
 * A row was to belong to another that is not there. That may have gone since it was looked up, so that the same work
 * finds it gone when it is done again; where it doesn't, the work is wrong.
 */
export class BelongsToNothing extends Error {
  /** @param cause what the engine said */
  constructor(cause: unknown) {
    super(`Referenced row is missing: ${said(cause)}`, { cause });
  }
}

export class DatabaseFault extends Error {
  readonly kind: FaultKind;
  /** Its message says all that helps: where in the code it was met is no part of the fault. */
  readonly isOutside = true;
  /** Whether the database says so itself, once for everything that fails by it. */
  readonly isSaid: boolean;

  /**
   * @param cause what the engine or the network said
   * @param isSaid by default what the database says of each kind
   */
  constructor(kind: FaultKind, cause: unknown, { isSaid = kind === 'held' } = {}) {
    super(`${sentences[kind]}: ${said(cause)}`, { cause });
    this.kind = kind;
    this.isSaid = isSaid;
  }
}
