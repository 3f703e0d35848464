import type { CSSProperties } from 'react';
import classes from './Avatar.module.css';

type Props = {
  /** The user's or room's ID, which decides the color. */
  id: string;
  name?: string | null | undefined;
  /** In pixels; default 22. */
  size?: number;
};

/** Renders the initials of a user (round) or a room (square). Never loads an image. */
export function Avatar({ id, name, size = 22 }: Props) {
  return (
    <span
      aria-hidden
      className={classes.avatar}
      data-initials={initialsOf(name) || initialsOf(id.replace(/:.*$/s, '')) || '#'}
      data-room={/^[!#]/.test(id) || undefined}
      style={{ '--hue': hueOf(id), '--size': `${size}px` } as CSSProperties}
    />
  );
}

const hues = 12;

/** Returns one of a few hues, in degrees, always the same for an ID. */
function hueOf(id: string): number {
  let hash = 0;
  for (const character of id.slice(0, 255)) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % hues) * (360 / hues);
}

/** Returns the first letters of the first two words that have letters or digits. */
export function initialsOf(name: string | null | undefined): string {
  const words = (name ?? '').slice(0, 255).split(/[\s._-]+/u);
  const letters = words.flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return letters.slice(0, 2).join('').toLocaleUpperCase();
}
