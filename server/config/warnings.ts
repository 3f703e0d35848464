/** What an administrator should know of settings with which the server does start. */
import { printable } from './configuration-error.ts';
import { nearest } from './nearest.ts';
import { declared, type Settings } from './settings.ts';
import { settingsWithoutEffect } from './without-effect.ts';

/** A line for each thing that is worth saying; it quotes names, never values. */
export function warningsFor(written: Settings): string[] {
  const used = Object.keys(declared).filter((name) => !settingsWithoutEffect.has(name));
  const known = [...used, ...settingsWithoutEffect];
  const given = Object.keys(written);
  const idle = given.filter((name) => settingsWithoutEffect.has(name));
  return [
    ...given.filter((name) => !known.includes(name)).map((name) => unknownSetting(name, known)),
    ...(idle.length > 0 ? [`${idle.join(', ')}: no effect on this server`] : []),
  ];
}

function unknownSetting(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `${printable(name)}: unknown setting${meant ? `; did you mean ${meant}?` : ''}`;
}
