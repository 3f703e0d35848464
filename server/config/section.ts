/**
 * How the settings of `homeserver.yaml` are declared: a section is a file of this folder, and a setting stands
 * once, in its section. To add one, declare it there by its name, and give it to the server in `read`:
 *
 *     enable_set_displayname: Type.Boolean({
 *       default: true,
 *       description: 'whether users may change their display name',
 *     }),
 *
 * From the declaration come the check of the file, what a refusal says, the help with slips of the pen, the
 * type `Config` and the README's table, which `npx vitest run -u test/server/config/readme.test.ts` writes anew. A
 * new section is added to the list in `config.ts`, and nowhere else.
 *
 * A declaration is JSON Schema (TypeBox), so that whoever edits a configuration can be helped by the same data:
 *
 * - `default` is what `read` gets where nothing is written, or nothing stands under the name. What has none is
 *   `Type.Optional`. A map that may be left out has the default `{}`, and its parts have theirs.
 * - `description` is the sentence in the table. A part of a map gets a row of its own where it has one, too.
 * - `title` and `examples` make the refusal of what the type can't be, where its own words don't say enough:
 *   "it has to be a time span; write it like 30m".
 *
 * What depends on more than one setting, `read` refuses: it throws a ConfigurationError.
 */
import type { Static, TObject, TProperties } from 'typebox';

/** What beside its own settings a section may need to know. */
export type Place = {
  /** Absolute; relative paths in the settings are relative to it. */
  dataDir: string;
  serverName: string;
  /** Where the file is, absolute. */
  configDir: string;
  /** Tells the administrator what should be known of the settings; it quotes no value. */
  warn(line: string): void;
};

export type Section<Settings extends TProperties, Part> = {
  /** What may be written, by name. */
  settings: Settings;
  /**
   * The part of the server's configuration that comes from these settings, which have been checked and have
   * their defaults.
   *
   * @throws ConfigurationError
   */
  read(settings: Static<TObject<Settings>>, place: Place): Part;
};

export const section = <Settings extends TProperties, Part extends object>(
  settings: Settings,
  read: Section<Settings, Part>['read'],
): Section<Settings, Part> => ({ settings, read });

// biome-ignore lint/suspicious/noExplicitAny: each has settings of its own
export type AnySection = Section<any, object>;

/** What a section gives to the server's configuration. */
export type PartOf<Each extends AnySection> = Awaited<ReturnType<Each['read']>>;
