/**
 * Declarations of the settings in `homeserver.yaml`: one section a file, each setting declared once, in its section. To
 * add a setting, declare it there by its name and pass it to the server in `read`:
 *
 * enable_set_displayname: Type.Boolean({ default: true, description: 'Lets users change their display name', }),
 *
 * The declaration drives validation, error messages, suggestions for misspelled names, the type `Config` and the table
 * in `docs/configuration.md`, which `npx vitest run test/server/config/settings-table.test.ts -u` regenerates. Add a
 * new section to the list in `config.ts`.
 *
 * A declaration is JSON Schema (TypeBox), which the console's editor also uses:
 *
 * - `read` gets the `default` if the setting is missing or has no value. A setting without one is `Type.Optional`. An
 * optional map has the default `{}`, and its parts have their own.
 * - `description` is the text in the table. Parts of a map that have one get their own row.
 * - `title` and `examples` complete the error message if the type alone doesn't say enough: "it has to be a time span;
 * write it like 30m".
 *
 * `read` checks rules between settings and throws a ConfigurationError.
 */
import type { Static, TObject, TProperties } from 'typebox';

export type SectionContext = {
  /** Absolute path; relative paths in settings are resolved against it. */
  dataDir: string;
  serverName: string;
  /** Absolute path of the file's directory. */
  configDir: string;
  /** Adds a warning for the administrator. Must not quote values, which may be secrets. */
  warn(line: string): void;
};

export type Section<Settings extends TProperties, Part> = {
  settings: Settings;
  /**
   * Turns the settings, validated and with defaults, into a part of the server's configuration.
   *
   * @throws ConfigurationError
   */
  read(settings: Static<TObject<Settings>>, context: SectionContext): Part;
};

export const section = <Settings extends TProperties, Part extends object>(
  settings: Settings,
  read: Section<Settings, Part>['read'],
): Section<Settings, Part> => ({ settings, read });

// biome-ignore lint/suspicious/noExplicitAny: each has its own settings
export type AnySection = Section<any, object>;

/** A section's part of the server's configuration. */
export type PartOf<Each extends AnySection> = Awaited<ReturnType<Each['read']>>;
