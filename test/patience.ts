/**
 * How long a test waits for what has to come, in milliseconds: only a test that fails waits so long, and a slow and
 * busy machine takes longer than one would think.
 */
export const patience = 30_000;
