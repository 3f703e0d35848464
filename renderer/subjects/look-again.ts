import { type Asked, untilAskedAgain } from '../query-client.ts';

const everyMs = 15_000;

/** What other administrators do meanwhile shows: a page that could be shown looks again every few seconds. */
export const lookAgain = (query: Asked) =>
  query.state.data === undefined ? untilAskedAgain(query) : everyMs;
