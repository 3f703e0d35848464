/** Reads the rules of policy lists, and finds those that match. */

import { type Static, Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { matchesGlob } from '../../../shared/glob.ts';
import {
  eventTypesOf,
  isGlob,
  type PolicyRule,
  type Recommendation,
  type RuleKind,
  type RuleTerms,
  ruleKinds,
} from './policy-rules.ts';

const recommendations: Readonly<Record<string, Recommendation>> = {
  'm.ban': 'ban',
  'org.matrix.mjolnir.ban': 'ban',
  'm.takedown': 'takedown',
  'org.matrix.msc4204.takedown': 'takedown',
  'm.allow': 'allow',
  'org.matrix.mjolnir.allow': 'allow',
  'fi.mau.meowlnir.unban': 'allow',
};

const text = Type.Optional(Type.String());
const Hashes = Type.Optional(Type.Object({ sha256: text }));
const RuleContent = Type.Object({
  entity: text,
  recommendation: Type.String(),
  reason: Type.Optional(Type.Unknown()),
  hashes: Hashes,
  'org.matrix.msc4205.hashes': Hashes,
});

const StateEvent = Type.Object({
  type: Type.String(),
  state_key: Type.Optional(Type.String()),
  sender: Type.String(),
  origin_server_ts: Type.Number(),
  content: Type.Unknown(),
});

const kindOfType = new Map(
  ruleKinds.flatMap((kind) => eventTypesOf(kind).map((type, age) => [type, { kind, age }] as const)),
);

/** Reads the rules in a room's state, newest first. Other events, removed and unreadable rules are left out. */
export function readRules(state: readonly unknown[]): PolicyRule[] {
  const byKey = new Map<string, { event: Static<typeof StateEvent>; kind: RuleKind; age: number }[]>();
  for (const event of state) {
    if (!fits(StateEvent, event) || event.state_key === undefined) continue;
    const known = kindOfType.get(event.type);
    if (!known) continue;
    const key = `${known.kind} ${event.state_key}`;
    byKey.set(key, [...(byKey.get(key) ?? []), { event, ...known }]);
  }
  return [...byKey.values()]
    .flatMap((versions) => {
      const [newest, ...older] = versions.toSorted((one, other) => one.age - other.age);
      const rule = newest && readRule(newest.event, newest.kind);
      return rule ? [{ ...rule, types: [newest, ...older].map(({ event }) => event.type) }] : [];
    })
    .toSorted((one, other) => other.at - one.at);
}

function readRule(
  { type, state_key: stateKey = '', sender, origin_server_ts: at, content }: Static<typeof StateEvent>,
  kind: RuleKind,
): PolicyRule | undefined {
  const read = readContent(content);
  return read && { kind, types: [type], stateKey, ...read, sender, at };
}

/** Reads an event's content; undefined if it isn't a rule. */
export function readContent(content: unknown): RuleTerms | undefined {
  if (!fits(RuleContent, content)) return undefined;
  const { entity, recommendation, reason, hashes, 'org.matrix.msc4205.hashes': unstable } = content;
  const hash = normalHash(hashes?.sha256 ?? unstable?.sha256 ?? '');
  if (!entity && hash === undefined) return undefined;
  return {
    ...(entity ? { entity } : { hash }),
    recommendation: Object.hasOwn(recommendations, recommendation)
      ? (recommendations[recommendation] ?? 'other')
      : 'other',
    reason: typeof reason === 'string' ? reason : '',
  };
}

/** Returns a hash without padding and in the standard alphabet; undefined if it isn't one. */
export function normalHash(hash: string): string | undefined {
  const plain = hash.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return /^[A-Za-z0-9+/]{43}$/.test(plain) ? plain : undefined;
}

/** Finds the rules on an entity; `hash` is left out if no hashed rule can match. */
export type Matcher = {
  /** Whether rules of this kind are hashed. */
  needsHash(kind: RuleKind): boolean;
  /** Returns the bans and takedowns; none if a rule allows the entity. Takedowns come first. */
  match(kind: RuleKind, entity: string, hash?: string): PolicyRule[];
};

/** Server names are compared in lower case. */
const normal = (kind: RuleKind, entity: string) => (kind === 'server' ? entity.toLowerCase() : entity);

export function matcherOf(rules: readonly PolicyRule[]): Matcher {
  const exact = new Map<string, PolicyRule[]>();
  const globs: Record<RuleKind, { glob: string; rule: PolicyRule }[]> = { user: [], room: [], server: [] };
  const hashed = new Set<RuleKind>();
  for (const rule of rules) {
    const { kind, entity, hash, recommendation } = rule;
    if (recommendation === 'other') continue;
    if (entity !== undefined && isGlob(entity)) {
      globs[kind].push({ glob: normal(kind, entity), rule });
      continue;
    }
    if (entity === undefined) hashed.add(kind);
    const key = entity === undefined ? `${kind} sha256 ${hash}` : `${kind} ${normal(kind, entity)}`;
    exact.set(key, [...(exact.get(key) ?? []), rule]);
  }
  return {
    needsHash: (kind) => hashed.has(kind),
    match(kind, entity, hash) {
      const name = normal(kind, entity);
      const all = [
        ...(exact.get(`${kind} ${name}`) ?? []),
        ...((hash && exact.get(`${kind} sha256 ${hash}`)) || []),
        ...globs[kind].flatMap(({ glob, rule }) => (matchesGlob(glob, name) ? [rule] : [])),
      ];
      if (all.some(({ recommendation }) => recommendation === 'allow')) return [];
      return all.toSorted((one, other) => Number(isTakedown(other)) - Number(isTakedown(one)));
    },
  };
}

const isTakedown = ({ recommendation }: PolicyRule) => recommendation === 'takedown';
