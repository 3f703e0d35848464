/** Rules: the settings that a note is about, and conditions on the rest of the configuration. */
import type { Severity } from '../../api/upgrade-plan.ts';
import type { Sentence } from '../../sentence.ts';
import type { Configuration, Place } from '../configuration.ts';

export type Rule = {
  /** The note's id. */
  note: string;
  /** Where to look: see `findSetting`. */
  setting: string;
  /** `change`: it has to be written differently. `look`: the note concerns a server with this setting. */
  need: 'change' | 'look';
  /** Whether the setting's presence is enough, or a further condition. */
  when?: (place: Place, configuration: Configuration) => boolean;
  /** What to write instead; default: the note's action. */
  instead?: Sentence;
  /** Of two rules on the same place and topic, the newer one counts. The note's name without it. */
  topic?: string;
  /** Whether to leave it out once the server runs a release that has the change. */
  onlyOnTheWay?: boolean;
  /** Whether a release with the change doesn't start with it. */
  refuses?: boolean | ((place: Place, configuration: Configuration) => boolean);
  /** How much it matters; the note's kind decides without it. */
  severity?: Severity;
  /** The only target that it is about. */
  onlyAt?: string;
};

export const places = (configuration: Configuration, setting: string) =>
  configuration.flatMap((file) => file.find(setting));
export const valueIs = (expected: unknown) => (place: Place) => place.value === expected;
export const anyIs = (configuration: Configuration, setting: string, expected: unknown) =>
  places(configuration, setting).some(valueIs(expected));
