/** What an administrator should know of settings with which the server does start. */
import { knownSettings } from '../../../shared/upgrade/known-settings.ts';
import { declared, type Settings } from './config.ts';
import { printable } from './configuration-error.ts';
import { nearest } from './nearest.ts';
import { settingsWithoutEffect } from './without-effect.ts';

/** For so many unknown settings it is looked which one was meant: that takes a while, and with more it is another file. */
const mostGuessed = 100;

/** A line for each thing that is worth saying; it quotes names, never values. */
export function warningsFor(written: Settings): string[] {
  const known = new Set([...Object.keys(declared), ...knownSettings]);
  const given = Object.keys(written);
  const idle = given.filter(hasNoEffect);
  return [
    ...given
      .filter((name) => !known.has(name))
      .map((name, index) => unknownSetting(name, nearest(name, index < mostGuessed ? [...known] : []))),
    ...given.flatMap((name) => slipsIn(name, declared[name], written[name])),
    ...(idle.length > 0 ? [`${idle.join(', ')}: no effect on this server`] : []),
  ];
}

/**
 * Whether other servers of this kind know a setting and this one does nothing with it: it has no federation, no
 * workers, no email and no single sign-on.
 */
const hasNoEffect = (name: string) =>
  settingsWithoutEffect.has(name) || (knownSettings.has(name) && !Object.hasOwn(declared, name));

const unknownSetting = (name: string, meant: string | undefined) =>
  `${printable(name)}: unknown setting${meant ? `; did you mean ${meant}?` : ''}`;

type Declaration = {
  properties?: Record<string, Declaration>;
  items?: Declaration;
  /** The names that may stand there beside its properties, where all of them are known. */
  known?: readonly string[];
};

/**
 * Parts may have more names on deployed servers; what resembles one that is not written is worth a word, and so is any
 * other where these are known.
 */
function slipsIn(path: string, declaration: Declaration = {}, value: unknown): string[] {
  const { properties = {}, items, known } = declaration;
  if (Array.isArray(value)) return value.flatMap((item, index) => slipsIn(`${path}[${index}]`, items, item));
  if (typeof value !== 'object' || value === null) return [];
  const given = Object.entries(value);
  const missing = [...Object.keys(properties), ...(known ?? [])].filter(
    (name) => !Object.hasOwn(value, name),
  );
  return given.flatMap(([name, part], index) => {
    const inside = `${path}.${name}`;
    if (Object.hasOwn(properties, name)) return slipsIn(inside, properties[name], part);
    if (known?.includes(name)) return [];
    const meant = nearest(name, index < mostGuessed ? missing : []);
    return meant || known ? [unknownSetting(inside, meant)] : [];
  });
}
