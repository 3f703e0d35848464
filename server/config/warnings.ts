/** What an administrator should know of settings with which the server does start. */
import { closest, distance } from 'fastest-levenshtein';
import { settingsWithoutEffect } from './known-settings.ts';
import { PartialSettings, type Settings } from './settings.ts';

/** A line for each thing that is worth saying; it quotes names, never values. */
export function warningsFor(settings: Settings): string[] {
  const used = Object.keys(PartialSettings.properties).filter(
    (name) => !settingsWithoutEffect.includes(name),
  );
  const known = [...used, ...settingsWithoutEffect];
  const given = Object.keys(settings);
  const idle = given.filter((name) => settingsWithoutEffect.includes(name));
  return [
    ...given.filter((name) => !known.includes(name)).map((name) => unknownSetting(name, known)),
    ...(idle.length > 0 ? [`${idle.join(', ')}: no effect on this server`] : []),
  ];
}

function unknownSetting(name: string, known: readonly string[]): string {
  const nearest = closest(name, known);
  // Names that share less than half of their letters are no slip of the pen.
  const isNear = distance(name, nearest) <= Math.max(name.length, nearest.length) / 2;
  return `${name}: unknown setting${isNear ? `; did you mean ${nearest}?` : ''}`;
}
