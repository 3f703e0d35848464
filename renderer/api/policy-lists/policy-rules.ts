/**
 * Rules of moderation policy lists. Matrix specification, "Moderation policy lists"; with the older event types and the
 * unstable names that Draupnir, Meowlnir and Mjolnir write, takedowns (MSC4204) and hashed entities (MSC4205).
 */
import { type Static, Type } from 'typebox';

export const ruleKinds = ['user', 'room', 'server'] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** `allow`: exempts the entity. `other`: unknown, so it matches nothing. */
export type Recommendation = 'ban' | 'takedown' | 'allow' | 'other';

export type PolicyRule = {
  kind: RuleKind;
  /** The types of the state events that contain it; the first one counts. */
  types: readonly string[];
  stateKey: string;
  /** An ID or a glob; undefined if hashed. */
  entity?: string;
  /** SHA-256 of the entity, in Base64 without padding. */
  hash?: string;
  recommendation: Recommendation;
  reason: string;
  sender: string;
  /** In milliseconds since the Unix epoch. */
  at: number;
};

/** Name of a rule in sentences and logs. */
export const nameOfRule = ({ entity, hash }: Pick<PolicyRule, 'entity' | 'hash'>): string =>
  entity ?? `sha256:${hash ?? ''}`;

/** Newest first: one of these hides the older ones with its state key. */
export const eventTypesOf = (kind: RuleKind): string[] => [
  `m.policy.rule.${kind}`,
  `m.room.rule.${kind}`,
  `org.matrix.mjolnir.rule.${kind}`,
];

/** Content of a rule for an entity or a hash. */
export const RuleTerms = Type.Object({
  entity: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String()),
  recommendation: Type.Enum(['ban', 'takedown', 'allow', 'other']),
  reason: Type.String(),
});
export type RuleTerms = Static<typeof RuleTerms>;

/** Returns the content of a rule event, as Draupnir and Meowlnir write it. */
export function contentOf({ entity, hash, recommendation, reason }: RuleTerms): Record<string, unknown> {
  return {
    ...(entity === undefined ? { 'org.matrix.msc4205.hashes': { sha256: `${hash}=` } } : { entity }),
    recommendation: written[recommendation],
    reason,
  };
}

const written: Readonly<Record<Recommendation, string>> = {
  ban: 'm.ban',
  takedown: 'org.matrix.msc4204.takedown',
  allow: 'org.matrix.mjolnir.allow',
  other: 'm.ban',
};

export const writtenRecommendation = (recommendation: Recommendation) => written[recommendation];

/** SHA-256 isn't available outside a secure context. */
export const canHash = (): boolean => (globalThis.crypto.subtle as SubtleCrypto | undefined) !== undefined;

/** Returns the SHA-256 of a text in Base64 without padding. */
export async function hashOf(entity: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(entity));
  return btoa(String.fromCharCode(...new Uint8Array(digest))).replace(/=+$/, '');
}

/**
 * Returns the state key that Draupnir and Meowlnir would use, so that they replace our rule instead of adding another.
 */
export const stateKeyFor = async (entity: string, recommendation: Recommendation): Promise<string> =>
  canHash() ? `${await hashOf(entity + written[recommendation])}=` : `rule:${entity}`;

export const isGlob = (entity: string): boolean => /[*?]/.test(entity);
