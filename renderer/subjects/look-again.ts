const everyMs = 15_000;

/** What other administrators do meanwhile shows: a page that could be shown looks again every few seconds. */
export const lookAgain = ({ state: { data } }: { state: { data: unknown } }) => data !== undefined && everyMs;
