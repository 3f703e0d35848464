import { type Static, Type } from 'typebox';

/** An email address, a phone number, or an account of an identity provider. */
export const Identity = Type.Union([
  Type.Object({ medium: Type.Enum(['email', 'msisdn']), address: Type.String() }),
  Type.Object({ provider: Type.String(), id: Type.String() }),
]);
export type Identity = Static<typeof Identity>;

export const isSameIdentity = (one: Identity, other: Identity): boolean =>
  'medium' in one
    ? 'medium' in other && one.medium === other.medium && one.address === other.address
    : 'provider' in other && one.provider === other.provider && one.id === other.id;
