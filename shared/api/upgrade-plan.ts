/**
 * An upgrade plan, the same on the command line (`gatehouse plan --json`), on screen and as Markdown.
 * Versions are written as servers print them, without a `v`.
 */
import { type Static, Type } from 'typebox';

const literals = <Word extends string>(...words: Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: words });
const OrNull = <Value>(schema: { type: string }) =>
  Type.Unsafe<Value | null>({ ...schema, type: [schema.type, 'null'] });
const TextOrNull = OrNull<string>({ type: 'string' });
const Release = Type.String({ description: 'Version, such as 1.98.0 or 1.98.0rc1' });

/** Areas that a change affects; a note is listed under its first one. */
export const Touch = literals(
  'configuration',
  'database',
  'workers',
  'clients',
  'modules',
  'media',
  'metrics',
  'packaging',
);
export type Touch = Static<typeof Touch>;

/**
 * removed: no longer works. deprecated: still works, will be removed. default changed: another effect if it isn't set.
 * requirement raised: needs a newer version or a step by the admin. added: new. moved: same, with another name, path or
 * format.
 */
export const ChangeKind = literals(
  'removed',
  'deprecated',
  'default changed',
  'requirement raised',
  'added',
  'moved',
);
export type ChangeKind = Static<typeof ChangeKind>;

/** One separate change of a release. Interface: "Changes by release". */
export const Note = Type.Object({
  id: Type.String({ description: 'Stable between versions of this program' }),
  release: Release,
  touches: Type.Array(Touch, { minItems: 1 }),
  kind: ChangeKind,
  settings: Type.Array(Type.String({ description: 'Full path, such as caches.cache_entry_ttl' })),
  endpoints: Type.Array(Type.String()),
  worker_types: Type.Array(Type.String()),
  text: Type.String({ description: 'Description of the change' }),
  action: Type.String({ description: 'Required action' }),
});
export type Note = Static<typeof Note>;

export const Requirement = Type.Object({
  name: Type.String(),
  minimum: OrNull<string>({ type: 'string' }),
  since: Release,
  text: Type.String(),
  check: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Command that shows the installed version',
  }),
});
export type Requirement = Static<typeof Requirement>;

export const StepKind = literals('back up', 'stop', 'upgrade', 'start', 'check version', 'wait');
export type StepKind = Static<typeof StepKind>;

export const Step = Type.Object({
  id: Type.String({ description: 'Stable for a stop, such as 1.52.0/back up' }),
  kind: StepKind,
  text: Type.String(),
  command: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Shell command; requires ACCESS_TOKEN and, if the server is unknown, BASE_URL',
  }),
});
export type Step = Static<typeof Step>;

/** Whether going back from a version of the plan to the one before is safe. */
export const Rollback = Type.Object({
  to: Release,
  safe: OrNull<boolean>({ type: 'boolean' }),
  lowest_safe: TextOrNull,
  text: Type.String(),
});
export type Rollback = Static<typeof Rollback>;

/** A fact from Synapse's own source and release notes, which the interface doesn't have. */
export const KnownFact = Type.Object({
  kind: literals('patch', 'fault', 'rollback', 'security'),
  release: Release,
  text: Type.String(),
  check: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Command that shows what the text asks for',
  }),
  source: Type.String({ description: 'URL' }),
});
export type KnownFact = Static<typeof KnownFact>;

export const Stop = Type.Object({
  version: Release,
  install: Type.Optional(
    Type.String({ description: "Version to install if it isn't the stop's own: its newest patch" }),
  ),
  reason: Type.String(),
  rollback_to: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Earliest version for a rollback; null if unknown',
  }),
  rollback: Rollback,
  requirements: Type.Array(Requirement),
  notes: Type.Array(Note),
  known: Type.Array(KnownFact, { description: "From Synapse's source; empty in the generic dialect" }),
  rollback_from_source: Type.Optional(
    Type.String({
      description: "Earliest version for a rollback, by Synapse's source, if the table has none",
    }),
  ),
  steps: Type.Array(Step),
});
export type Stop = Static<typeof Stop>;

export const StreamCrossing = Type.Object({
  release: Release,
  stop: Type.String({ description: 'Stop at which the upgrade crosses the boundary' }),
  streams: Type.Array(Type.String()),
  text: Type.String(),
});
export type StreamCrossing = Static<typeof StreamCrossing>;

/** How much a finding matters, the most serious first. */
export const severities = ['refuses to start', 'removed', 'deprecated', 'default changed', 'hint'] as const;
export const Severity = literals(...severities);
export type Severity = Static<typeof Severity>;

/** A position in a configuration file that a change affects. Never contains a value. */
export const Finding = Type.Object({
  note: Type.String({ description: 'ID of the note' }),
  release: Release,
  kind: ChangeKind,
  severity: Severity,
  file: Type.String(),
  line: OrNull<number>({ type: 'integer' }),
  column: OrNull<number>({ type: 'integer' }),
  setting: Type.String({ description: 'Full path, such as listeners[0].type' }),
  text: Type.String(),
  instead: Type.String({ description: 'Replacement, or aspect to review' }),
  overdue: Type.Boolean({ description: 'The change took effect in the current version or earlier' }),
  source: Type.Optional(
    Type.String({ description: "URL, if the finding is from Synapse's source and not from the interface" }),
  ),
});
export type Finding = Static<typeof Finding>;

/** A finding that is ignored on purpose. */
export const IgnoredFinding = Type.Object({ ...Finding.properties, why: Type.String() });
export type IgnoredFinding = Static<typeof IgnoredFinding>;

/** A setting that the planner doesn't know. */
export const UnknownSetting = Type.Object({
  file: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
  setting: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: "Null if it doesn't look like a setting name",
  }),
});
export type UnknownSetting = Static<typeof UnknownSetting>;

export const UpgradePlan = Type.Object({
  from: Release,
  to: Release,
  direction: literals('upgrade', 'downgrade', 'none'),
  way: Type.Optional(literals('every', 'fewest', 'direct')),
  direct: Type.Object({
    notes: Type.Array(Note),
    requirements: Type.Array(Requirement),
    steps: Type.Array(Step, { description: 'Direct upgrade to the target without intermediate stops' }),
    rollback_to: TextOrNull,
    rollback: Type.Unsafe<Rollback | null>({ anyOf: [Rollback, { type: 'null' }] }),
  }),
  stops: Type.Array(Stop),
  streams: Type.Array(StreamCrossing),
  warnings: Type.Array(Type.String()),
  config: Type.Array(Finding, { description: 'Required configuration changes' }),
  config_hints: Type.Array(Finding, { description: 'Configuration to review' }),
  config_ignored: Type.Optional(Type.Array(IgnoredFinding)),
  config_unknown: Type.Array(UnknownSetting, {
    description: 'Settings unknown to all releases',
  }),
});
export type UpgradePlan = Static<typeof UpgradePlan>;
