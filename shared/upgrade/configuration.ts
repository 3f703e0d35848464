/**
 * Configuration files as a planner reads them: where a setting stands, and little about its value. A file
 * holds secrets, so nothing here quotes one: not an error, not a place.
 */
import type { Alias, Document, LineCounter, Node } from 'yaml';
import { inEnglish, type Sentence } from '../sentence.ts';

/** What a planner asks of a file. */
export type SearchedFile = {
  /** As it was given, usually a path. */
  name: string;
  /** Whether it is a worker's own file and not the shared configuration. */
  isWorker: boolean;
  /** Whether it is the main part of the shared configuration. */
  isMain: boolean;
  /**
   * Every place where a setting stands; none where it isn't set.
   *
   * @param path keys with dots between them; `[]` after a key means every item of the list there
   */
  find(path: string): Place[];
  /** What a plan can't tell because of how the file is written. */
  caveats: readonly Sentence[];
  /** The names at the top, where they stand. */
  names(): Pick<Place, 'setting' | 'line' | 'column'>[];
};

export type Configuration = readonly SearchedFile[];

/** A file that was read, with all that is known of where things stand in it. */
export type ConfigurationFile = SearchedFile & {
  document: Document;
  /** What each alias stands for: to look for its anchor each time would take hours where a file is made of aliases. */
  aliases: ReadonlyMap<Alias, Node>;
  lines: LineCounter;
};

/** A file that can't be read as configuration. The message names the file and, where known, the place in it. */
export class ConfigurationFileError extends Error {
  /** The file, and the place where there is one: `homeserver.yaml, line 3, column 1`. */
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

/** Where a setting stands in a file. */
export type Place = {
  file: SearchedFile;
  /** The full path, with the position in each list: `listeners[0].type`. */
  setting: string;
  line: number;
  column: number;
  /** The value where it is a plain one; undefined for maps and lists. */
  value: unknown;
  /** Whether the map that the setting is in has this key, too. */
  hasSibling(key: string): boolean;
};
