/** Writes the rules of policy lists and server ACLs. */
import { hashKey } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { fits } from '../../shared/fits.ts';
import { type Answers, leaveAfterwards, takePower } from '../../shared/team/action-inputs.ts';
import { getRuleContent, putRuleContent } from '../api/policy-lists/policy-lists.ts';
import {
  contentOf,
  eventTypesOf,
  hashOf,
  isGlob,
  nameOfRule,
  type RuleKind,
  type RuleTerms,
  ruleKinds,
  stateKeyFor,
  writtenRecommendation,
} from '../api/policy-lists/policy-rules.ts';
import {
  coversServer,
  getServerAcl,
  putServerAcl,
  withDenied,
  withoutDenied,
} from '../api/policy-lists/server-acl.ts';
import { serverName } from '../transport/server-name.ts';
import type { Work } from './action.ts';
import { changedSince } from './catalogue/changes.ts';
import type { ItemOf } from './items.ts';
import { withPowerLevel } from './power.ts';

const RuleEvent = Type.Object({
  type: Type.String(),
  stateKey: Type.String(),
  content: Dictionary(Type.Unknown()),
});

/** Data for the undo. */
const Written = Type.Object({
  roomId: Type.String(),
  tookPower: Type.Boolean(),
  events: Type.Array(Type.Object({ ...RuleEvent.properties, before: Dictionary(Type.Unknown()) })),
});

type RuleEvents = { type: string; stateKey: string; content: Record<string, unknown> }[];

const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);

/** Writes rule events. The undo restores replaced rules, unless they changed again. */
async function writeRules(work: Work, roomId: string, events: RuleEvents, answers: Pick<Answers, 'fields'>) {
  const { server, first } = work;
  const { result: before, tookPower } = await withPowerLevel(work, roomId, answers, async () => {
    const contents = await first(() =>
      Promise.all(events.map(({ type, stateKey }) => getRuleContent(server, roomId, type, stateKey))),
    );
    for (const [index, event] of events.entries()) {
      if (!isSame(contents[index], event.content)) await putRuleContent(server, roomId, event);
    }
    return contents;
  });
  return {
    unchanged: events.every(({ content }, index) => isSame(content, before[index])),
    undo: {
      roomId,
      tookPower,
      events: events.map((event, index) => ({ ...event, before: before[index] ?? {} })),
    },
  };
}

export async function undoRules(work: Work, stored: unknown) {
  if (!fits(Written, stored)) throw changedSince();
  const { roomId, tookPower, events } = stored;
  const { server } = work;
  const fields = { [takePower]: tookPower, [leaveAfterwards]: tookPower };
  await withPowerLevel(work, roomId, { fields }, async () => {
    for (const { type, stateKey, content, before } of events) {
      const now = await getRuleContent(server, roomId, type, stateKey);
      if (isSame(now, before)) continue;
      if (!isSame(now, content)) throw changedSince();
      await putRuleContent(server, roomId, { type, stateKey, content: before });
    }
  });
}

/** Publishes a rule under the state key that other tools would give it. */
async function publish(
  work: Work,
  { roomId, kind, name, terms }: { roomId: string; kind: RuleKind; name: string; terms: RuleTerms },
  answers: Pick<Answers, 'fields'>,
) {
  const event = {
    type: eventTypesOf(kind)[0] ?? '',
    stateKey: await stateKeyFor(name, terms.recommendation),
    content: contentOf(terms),
  };
  // For the log, which is in English.
  const detail = [`${writtenRecommendation(terms.recommendation)} ${nameOfRule(terms)}`, terms.reason];
  const written = await writeRules(work, roomId, [event], answers);
  return { ...written, detail: detail.filter(Boolean).join(': ') };
}

const entities: Readonly<Record<RuleKind, RegExp>> = {
  user: /^[@*]\S*$/,
  room: /^[!#*]\S*$/,
  server: /^[^\s@!#/]+$/,
};

function entityFault(kind: RuleKind, entity: string, isHashed: boolean): string | undefined {
  if (isHashed && isGlob(entity)) return /*i18n*/ "Patterns can't be hidden.";
  if (entities[kind].test(entity)) return undefined;
  if (kind === 'user') return /*i18n*/ 'Enter a user ID such as @name:server.';
  if (kind === 'room') return /*i18n*/ 'Enter a room ID (!…) or alias (#…).';
  return /*i18n*/ 'Enter a server name such as matrix.org.';
}

/** Publishes a rule with a form's recommendation and reason. */
export async function publishNew(
  work: Work,
  roomId: string,
  kind: RuleKind,
  entity: string,
  answers: Answers,
) {
  const { recommendation, listReason, hashed } = answers.fields;
  const fault =
    roomId === ''
      ? /*i18n*/ 'No policy list to publish to. Create one first.'
      : kind === 'server' && coversServer(entity, serverName(work.server.connection))
        ? /*i18n*/ 'This matches your own server.'
        : entityFault(kind, entity, hashed === true);
  // With these values, it's an error of the form, which isn't logged.
  if (fault !== undefined)
    throw new ConnectionFailure('refused', fault, { said: fault, errcode: 'M_INVALID_PARAM' });
  const terms: RuleTerms = {
    ...(hashed === true ? { hash: await hashOf(entity) } : { entity }),
    recommendation: recommendation === 'takedown' ? 'takedown' : 'ban',
    reason: String(listReason ?? '').trim(),
  };
  return publish(work, { roomId, kind, name: entity, terms }, answers);
}

export async function publishImported(
  work: Work,
  { roomId, types, terms }: ItemOf<'rule'>,
  answers: Pick<Answers, 'fields'>,
) {
  const kind = ruleKinds.find((each) => eventTypesOf(each)[0] === types[0]);
  if (!terms || !kind) throw new Error('No rule to publish');
  return publish(work, { roomId, kind, name: terms.entity ?? terms.hash ?? '', terms }, answers);
}

export async function removeRule(
  work: Work,
  { roomId, types, stateKey, name }: ItemOf<'rule'>,
  answers: Pick<Answers, 'fields'>,
) {
  const events = types.map((type) => ({ type, stateKey, content: {} }));
  return { ...(await writeRules(work, roomId, events, answers)), detail: name };
}

export async function editRule(
  work: Work,
  { roomId, types: [type = ''], stateKey, name }: ItemOf<'rule'>,
  answers: Pick<Answers, 'fields'>,
) {
  const { recommendation, listReason } = answers.fields;
  const { result: content } = await withPowerLevel(work, roomId, answers, () =>
    getRuleContent(work.server, roomId, type, stateKey),
  );
  const change = {
    recommendation: writtenRecommendation(recommendation === 'takedown' ? 'takedown' : 'ban'),
    // Unchanged fields aren't in the answers.
    ...(listReason !== undefined && { reason: String(listReason).trim() }),
  };
  const event = { type, stateKey, content: { ...content, ...change } };
  const detail = [`${change.recommendation} ${name}`, event.content.reason].filter(Boolean).join(': ');
  return { ...(await writeRules(work, roomId, [event], answers)), detail };
}

// Server ACLs.

const Denied = Type.Object({ tookPower: Type.Boolean(), added: Type.Array(Type.String()) });

const lines = (value: unknown) => [
  ...new Set(
    String(value ?? '')
      .split(/\s+/)
      .map((name) => name.toLowerCase())
      .filter(Boolean),
  ),
];

export async function denyServers(work: Work, { roomId }: ItemOf<'room'>, answers: Pick<Answers, 'fields'>) {
  const { server, first } = work;
  const servers = lines(answers.fields.servers);
  const { result: added, tookPower } = await withPowerLevel(work, roomId, answers, async () => {
    const now = await getServerAcl(server, roomId);
    const before = await first(async () => now.deny ?? []);
    const acl = withDenied(now, servers, serverName(server.connection));
    if (acl !== now) await putServerAcl(server, roomId, acl);
    return (acl.deny ?? []).filter((name) => servers.includes(name) && !before.includes(name));
  });
  return {
    unchanged: added.length === 0,
    undo: { tookPower, added },
    detail: `${added.length} added: ${added.slice(0, 50).join(' ')}`,
  };
}

export async function allowServers(work: Work, { roomId }: ItemOf<'room'>, stored: unknown) {
  if (!fits(Denied, stored)) throw changedSince();
  const { tookPower, added } = stored;
  const fields = { [takePower]: tookPower, [leaveAfterwards]: tookPower };
  await withPowerLevel(work, roomId, { fields }, async () => {
    const now = await getServerAcl(work.server, roomId);
    await putServerAcl(work.server, roomId, withoutDenied(now, added));
  });
}
