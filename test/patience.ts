/**
 * Timeout for polling in tests, in milliseconds. It's long because busy machines are slow; only failing tests reach
 * it.
 */
export const patience = 60_000;
