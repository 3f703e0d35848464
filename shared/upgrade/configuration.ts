/**
 * Configuration files as the planner reads them: positions of settings and simple values. Files contain secrets, so
 * errors and positions don't quote values.
 */
import type { Alias, Document, LineCounter, Node } from 'yaml';
import { inEnglish, type Sentence } from '../sentence.ts';

/** A file that the planner's rules can search. */
export type SearchedFile = {
  /** As given, usually a path. */
  name: string;
  /** Whether it's a worker's file rather than the shared configuration. */
  isWorker: boolean;
  /** Whether it's the main file of the shared configuration. */
  isMain: boolean;
  /**
   * Returns all positions of a setting.
   *
   * @param path keys separated by dots; `[]` after a key matches every item of its list
   */
  find(path: string): SettingPosition[];
  /** Parts of the file that the plan may miss because of their syntax. */
  caveats: readonly Sentence[];
  /** Returns the top-level names with their positions. */
  names(): Pick<SettingPosition, 'setting' | 'line' | 'column'>[];
};

export type Configuration = readonly SearchedFile[];

/** A parsed file. */
export type ConfigurationFile = SearchedFile & {
  document: Document;
  /** Resolved aliases: resolving each on its own would take hours in hostile files. */
  aliases: ReadonlyMap<Alias, Node>;
  lines: LineCounter;
};

/** A file that isn't a configuration. The message has the file and, if known, the position. */
export class ConfigurationFileError extends Error {
  /** The file and, if known, the position: `homeserver.yaml, line 3, column 1`. */
  readonly place: string;
  readonly problem: Sentence;
  readonly at: { line: number; column: number } | undefined;
  constructor(name: string, problem: Sentence, at?: { line: number; column: number }) {
    const place = at ? `${name}, line ${at.line}, column ${at.column}` : name;
    super(`${place}: ${inEnglish(problem)}`);
    this.name = 'ConfigurationFileError';
    this.place = place;
    this.problem = problem;
    this.at = at;
  }
}

/** Position of a setting in a file. */
export type SettingPosition = {
  file: SearchedFile;
  /** Full path with list indexes: `listeners[0].type`. */
  setting: string;
  line: number;
  column: number;
  /** The value; undefined for maps and lists. */
  value: unknown;
  /** Whether the setting's map also has this key. */
  hasSibling(key: string): boolean;
};
