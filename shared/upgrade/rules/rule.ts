/** Rules: the settings that a note is about, and conditions on the rest of the configuration. */
import type { Severity } from '../../api/upgrade-plan.ts';
import type { Sentence } from '../../sentence.ts';
import type { Configuration, SettingPosition } from '../configuration.ts';

export type Rule = {
  /** The note's id. */
  note: string;
  /** Path to search: see `findSetting`. */
  setting: string;
  /** `change`: the setting must be changed. `review`: the note concerns a server with this setting. */
  need: 'change' | 'review';
  /** Whether the setting's presence is enough, or a further condition. */
  when?: (place: SettingPosition, configuration: Configuration) => boolean;
  /** The replacement; default: the note's action. */
  instead?: Sentence;
  /** Topic; default: the note's name. Of two rules on the same place and topic, the newer one applies. */
  topic?: string;
  /** Whether to omit it once the server runs a release that has the change. */
  onlyWhileUpgrading?: boolean;
  /** Whether a release with the change fails to start with the setting. */
  refuses?: boolean | ((place: SettingPosition, configuration: Configuration) => boolean);
  /** Severity; default: by the note's kind. */
  severity?: Severity;
  /** The only target that the rule applies to. */
  onlyAt?: string;
};

export const places = (configuration: Configuration, setting: string) =>
  configuration.flatMap((file) => file.find(setting));
export const valueIs = (expected: unknown) => (place: SettingPosition) => place.value === expected;
export const anyIs = (configuration: Configuration, setting: string, expected: unknown) =>
  places(configuration, setting).some(valueIs(expected));
