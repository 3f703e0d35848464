/**
 * What a database can't do for a reason that is not the statement's: it lost a race, doesn't answer, or has no
 * room left. Every engine's own errors of these kinds become faults where statements are run.
 */
export type FaultKind = keyof typeof sentences;

const sentences = {
  /** Another transaction was in the way: the same work may go through when it is done again. */
  contended: 'Others are changing the same data',
  /** The database is gone, starting, or takes too long. */
  unavailable: 'The database does not answer',
  /** Nothing more can be written until somebody makes room. */
  full: 'The database has no room left',
};

export class DatabaseFault extends Error {
  readonly kind: FaultKind;

  /** @param cause what the engine or the network said */
  constructor(kind: FaultKind, cause: unknown) {
    super(`${sentences[kind]}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.kind = kind;
  }
}
