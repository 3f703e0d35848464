/** A setting with which the server refuses to start. */
export class ConfigurationError extends Error {
  /** The full path of the setting, or a file where there is none. */
  readonly setting: string;
  /** What is wrong, and the way out. */
  readonly sentence: string;

  /**
   * @param setting the full path of the setting, such as `jwt_config.algorithm`
   * @param problem what is wrong with it
   * @param wayOut what to write instead
   */
  constructor(setting: string, problem: string, wayOut: string) {
    super(printable(`${setting}: ${problem}; ${wayOut}`));
    this.name = 'ConfigurationError';
    this.setting = printable(setting);
    this.sentence = printable(`${problem}; ${wayOut}`);
  }
}

/** What is told of a refusal: it throws it, or notes it so that the others are found, too. */
export type Refuse = (error: ConfigurationError) => void;

/** For a start, which the first one ends. */
export const refuseAtOnce: Refuse = (error) => {
  throw error;
};

/** A text as one line that is safe on a terminal: names in a file, and file names, may hold anything. */
export const printable = (text: string) => text.replaceAll(/[\p{C}\u2028\u2029]/gu, '?');
