/** A part of the console could not be loaded: its server is away, or has another version of the console by now. */
export class MissingScript extends Error {
  constructor(what: string) {
    super(`A script is missing (${what})`);
    this.name = 'MissingScript';
  }
}

/** The same where a part of a screen met it, in the words of browsers and of what loads styles. */
export const isMissingScript = (error: unknown): boolean =>
  error instanceof MissingScript ||
  (error instanceof Error &&
    /dynamically imported module|importing a module script|preload CSS/i.test(error.message));
