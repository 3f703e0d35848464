/** A setting with which the server refuses to start. */
export class ConfigurationError extends Error {
  /** Full path of the setting, or of a file. */
  readonly setting: string;
  /** The problem and the fix. */
  readonly sentence: string;

  /**
   * @param setting full path of the setting, such as `jwt_config.algorithm`
   */
  constructor(setting: string, problem: string, fix: string) {
    super(printable(`${setting}: ${problem}; ${fix}`));
    this.name = 'ConfigurationError';
    this.setting = printable(setting);
    this.sentence = printable(`${problem}; ${fix}`);
  }
}

/** Handles an error: throws it, or collects it so that further ones are found. */
export type Refuse = (error: ConfigurationError) => void;

/** For starting the server, which ends with the first error. */
export const refuseAtOnce: Refuse = (error) => {
  throw error;
};

/** Replaces control characters and line breaks, so that untrusted names are safe to print on a terminal. */
export const printable = (text: string) => text.replaceAll(/[\p{C}\u2028\u2029]/gu, '?');
