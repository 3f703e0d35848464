/** Work that reloading the page would interrupt. */
const checks = new Set<() => boolean>();

/** Registers a check for running work. */
export const registerWork = (isBusy: () => boolean): void => void checks.add(isBusy);

export const isPageBusy = (): boolean => [...checks].some((isBusy) => isBusy());
