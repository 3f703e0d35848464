/** What this page is in the middle of, which would be cut off if the page were loaded anew. */
const checks = new Set<() => boolean>();

/** @param isAtWork asked whenever someone wants to know */
export const tellWork = (isAtWork: () => boolean): void => void checks.add(isAtWork);

export const isPageAtWork = (): boolean => [...checks].some((isAtWork) => isAtWork());
