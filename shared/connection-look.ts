/** Label, color, order and production mark of connections. */
import { type Static, Type } from 'typebox';
import { Dictionary } from './api/common.ts';

export const connectionColors = {
  red: '#d64545',
  orange: '#e0702a',
  yellow: '#d9a41f',
  green: '#2f9e5f',
  blue: '#3b82e0',
  violet: '#8b5cf6',
  pink: '#d6499a',
} as const;
export type ConnectionColor = keyof typeof connectionColors;

export const Look = Type.Object({
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  color: Type.Optional(Type.Enum(Object.keys(connectionColors) as ConnectionColor[])),
  isProduction: Type.Optional(Type.Boolean()),
});
export type Look = Static<typeof Look>;

/** `of`: by connection ID. `order`: IDs; others come last. Survives signing out. */
export const Looks = Type.Object({ of: Dictionary(Look), order: Type.Array(Type.String()) });
export type Looks = Static<typeof Looks>;

/** The color of a connection: its own, or red if it is production. */
export const colorOf = ({ color, isProduction }: Look): ConnectionColor | undefined =>
  color ?? (isProduction ? 'red' : undefined);

/** Sorts connections by the chosen order. */
export function inOrder<Connection extends { id: string }>(
  connections: readonly Connection[],
  { order }: Looks,
): Connection[] {
  const place = ({ id }: Connection) => (order.includes(id) ? order.indexOf(id) : order.length);
  return connections.toSorted((one, other) => place(one) - place(other));
}
