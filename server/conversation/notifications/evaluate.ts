/** Evaluates push rules: the first that matches applies. Client-server API, "Push Rules". */
import { type Addressee, type Check, checkOf, type EventInRoom, textPattern } from './conditions.ts';
import { rulesOf } from './default-rules.ts';
import { type Action, isNotified, noOwnRules, type OwnRules, type PushRule, ruleKinds } from './push-rule.ts';

/** In the order of evaluation. */
export type CompiledRules = readonly {
  ruleId: string;
  checks: readonly Check[];
  actions: readonly Action[];
}[];

/** Bounds the work of all patterns of one user for one event. */
const stepsPerUser = 100_000;

/** Compiles the enabled rules of a user. */
export function compileRules(userId: string, own: OwnRules): CompiledRules {
  const rules = rulesOf(userId, own);
  return ruleKinds.flatMap((kind) =>
    rules[kind].flatMap((rule) => {
      if (!rule.enabled) return [];
      return [{ ruleId: rule.ruleId, checks: checksOf(kind, rule), actions: rule.actions }];
    }),
  );
}

function checksOf(kind: (typeof ruleKinds)[number], { ruleId, conditions = [], pattern }: PushRule): Check[] {
  switch (kind) {
    case 'content': {
      const matcher = textPattern(pattern ?? '');
      return [({ body }, { steps }) => body !== undefined && matcher.isIn(body, steps)];
    }
    case 'room':
      return [({ event }) => event.room_id === ruleId];
    case 'sender':
      return [({ event }) => event.sender === ruleId];
    default:
      return conditions.map(checkOf);
  }
}

/** Ignored for events with `m.mentions`. */
const byName: ReadonlySet<string> = new Set([
  '.m.rule.contains_display_name',
  '.m.rule.contains_user_name',
  '.m.rule.roomnotif',
]);

/** Returns the actions of the first matching rule; none if no rule matches. */
export function evaluate(
  rules: CompiledRules,
  event: EventInRoom,
  displayName: string | undefined,
): readonly Action[] {
  const addressee: Addressee = { displayName, steps: { left: stepsPerUser } };
  for (const { ruleId, checks, actions } of rules) {
    if (event.hasMentions && byName.has(ruleId)) continue;
    if (checks.every((check) => check(event, addressee))) return actions;
  }
  return [];
}

/** The default rules without those that depend on the user. */
export const sharedRules: CompiledRules = compileRules('@:', {
  ...noOwnRules,
  changed: {
    '.m.rule.invite_for_me': { enabled: false },
    '.m.rule.is_user_mention': { enabled: false },
    '.m.rule.contains_display_name': { enabled: false },
    '.m.rule.contains_user_name': { enabled: false },
  },
});

/**
 * Returns the rooms in which a user's rules may silence events that notify everyone: there each notification of the
 * user is stored, elsewhere only differences. A wrong guess costs rows, but not correctness.
 */
export function quietRooms({ added, changed }: OwnRules): 'everywhere' | ReadonlySet<string> {
  const rooms = new Set<string>();
  for (const kind of ruleKinds) {
    for (const { ruleId, actions, enabled, conditions = [] } of added[kind] ?? []) {
      if (!enabled || isNotified(actions)) continue;
      const room = kind === 'room' ? ruleId : roomIn(conditions);
      if (room === undefined) return 'everywhere';
      rooms.add(room);
    }
  }
  for (const [ruleId, { enabled, actions }] of Object.entries(changed)) {
    const isQuiet = ruleId === '.m.rule.master' ? enabled === true : isQuieted(enabled, actions);
    if (isQuiet && !soundOnly.has(ruleId)) return 'everywhere';
  }
  return rooms;
}

const isQuieted = (enabled: boolean | undefined, actions: readonly Action[] | undefined) =>
  enabled === false || (actions !== undefined && !isNotified(actions));

/** Disabling one of these changes sound or highlight, or nothing: a later rule still notifies. */
const soundOnly: ReadonlySet<string> = new Set([
  '.m.rule.invite_for_me',
  '.m.rule.is_user_mention',
  '.m.rule.contains_display_name',
  '.m.rule.contains_user_name',
  '.m.rule.suppress_notices',
  '.m.rule.member_event',
  '.m.rule.reaction',
  '.m.rule.room.server_acl',
  '.m.rule.suppress_edits',
  '.m.rule.call',
  '.im.vector.jitsi',
]);

/** Returns the room that the conditions limit a rule to. */
function roomIn(conditions: NonNullable<PushRule['conditions']>): string | undefined {
  for (const { kind, key, pattern } of conditions) {
    if (kind !== 'event_match' || key !== 'room_id' || typeof pattern !== 'string') continue;
    if (!/[*?]/.test(pattern)) return pattern;
  }
  return undefined;
}
