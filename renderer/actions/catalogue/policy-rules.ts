/** Rules of policy lists, and server ACLs from them. */
import { i18n } from '@lingui/core';
import { IconPencil, IconPlaylistAdd, IconServerOff, IconTrash } from '@tabler/icons-react';
import { Type } from 'typebox';
import { leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import { canHash, type RuleKind } from '../../api/policy-lists/policy-rules.ts';
import { ownLists } from '../../team/policy-lists.ts';
import type { Server } from '../../transport/server.ts';
import { type Action, action, type Field, type Forecast } from '../action.ts';
import type { ItemOf } from '../items.ts';

/** Loaded once needed: these actions are rare. */
const policyWork = () => import('../policy-rule-work.ts');

const undo: Action['undo'] = async (work, _item, stored) => (await policyWork()).undoRules(work, stored);

// Fields.

const recommendationField: Field = {
  kind: 'choice',
  name: 'recommendation',
  label: /*i18n*/ 'Recommendation',
  initial: ({ rule }) => (rule?.recommendation === 'takedown' ? 'takedown' : 'ban'),
  options: [
    { value: 'ban', label: /*i18n*/ 'Ban' },
    { value: 'takedown', label: /*i18n*/ 'Takedown' },
  ],
};

const reasonField: Field = {
  kind: 'line',
  name: 'listReason',
  label: /*i18n*/ 'Public reason',
  note: /*i18n*/ 'Visible to all readers of the list.',
  required: false,
};

const hashField: Field = {
  kind: 'flag',
  name: 'hashed',
  label: /*i18n*/ 'Hide the ID',
  note: /*i18n*/ 'Publishes its SHA-256 hash. Not all tools can read it.',
  initial: false,
  isShown: () => canHash(),
};

const ofList = { group: 'room', power: 'rules', needs: [], changes: ['policy-list'] } as const;

const published = /*i18n*/ '{count, plural, one {Rule added} other {# rules added}}';
const withdrawn = /*i18n*/ '{count, plural, one {Rule removed} other {# rules removed}}';

/** Opened from the list's page. */
export const addRule = action<'room'>({
  ...ofList,
  kind: 'room',
  id: 'add-policy-rule',
  role: 'moderator',
  label: /*i18n*/ 'Add rule',
  hint: /*i18n*/ 'Publishes a rule in this policy list',
  icon: IconPlaylistAdd,
  words: {
    will: /*i18n*/ 'Publishes a rule in {name}. Servers and tools that watch the list may act on it.',
    doing: /*i18n*/ 'Adding rule to {name}',
    done: published,
    undone: withdrawn,
  },
  fields: [
    {
      kind: 'choice',
      name: 'of',
      label: /*i18n*/ 'Subject',
      initial: 'user',
      options: [
        { value: 'user', label: /*i18n*/ 'User' },
        { value: 'room', label: /*i18n*/ 'Room' },
        { value: 'server', label: /*i18n*/ 'Server' },
      ],
    },
    {
      kind: 'line',
      name: 'entity',
      label: /*i18n*/ 'ID or pattern',
      note: /*i18n*/ '@name:server, !room, #alias:server or server name; * and ? match any characters',
      required: true,
    },
    recommendationField,
    reasonField,
    hashField,
  ],
  async run(work, { roomId }, answers) {
    const { of, entity } = answers.fields;
    return (await policyWork()).publishNew(work, roomId, of as RuleKind, String(entity).trim(), answers);
  },
  undo,
});

/** Publishes imported rules. */
export const publishRules = action<'rule'>({
  ...ofList,
  kind: 'rule',
  id: 'publish-policy-rules',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Add rule} other {Add # rules}}',
  hint: /*i18n*/ 'Publishes rules in a policy list',
  icon: IconPlaylistAdd,
  words: {
    will: /*i18n*/ '{count, plural, one {Publishes a rule.} other {Publishes # rules.}} Servers and tools that watch the list may act on them.',
    doing: /*i18n*/ '{count, plural, one {Adding rule} other {Adding # rules}}',
    done: published,
    undone: withdrawn,
  },
  run: async (work, item, answers) => (await policyWork()).publishImported(work, item, answers),
  undo,
});

const removeRule = action<'rule'>({
  ...ofList,
  kind: 'rule',
  id: 'remove-policy-rule',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Remove rule} other {Remove # rules}}',
  hint: /*i18n*/ 'Withdraws the rule from the policy list',
  icon: IconTrash,
  usual: true,
  words: {
    will: /*i18n*/ 'Removes {count, plural, one {the rule on {name}} other {# rules}} from the list. Earlier bans by others may stay.',
    doing: /*i18n*/ 'Removing {count, plural, one {the rule on {name}} other {# rules}}',
    done: withdrawn,
    undone: /*i18n*/ '{count, plural, one {Rule restored} other {# rules restored}}',
  },
  run: async (work, item, answers) => (await policyWork()).removeRule(work, item, answers),
  undo,
});

const editRule = action<'rule'>({
  ...ofList,
  kind: 'rule',
  id: 'edit-policy-rule',
  role: 'moderator',
  label: /*i18n*/ 'Edit rule',
  hint: /*i18n*/ 'Changes recommendation and reason',
  icon: IconPencil,
  usual: true,
  oneOnly: true,
  applies: ({ rule }) => rule === undefined || ['ban', 'takedown'].includes(rule.recommendation),
  words: {
    will: /*i18n*/ 'Changes the rule on {name} for all readers of the list.',
    doing: /*i18n*/ 'Editing rule',
    done: /*i18n*/ 'Rule changed',
    undone: /*i18n*/ 'Rule restored',
  },
  fields: [recommendationField, { ...reasonField, from: ({ rule }) => rule?.reason ?? '' }],
  run: async (work, item, answers) => (await policyWork()).editRule(work, item, answers),
  undo,
});

// From the page of a user, room or server.

const lastList = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.policy-lists.last.${id}`, Type.String(), '');

const listFields: Field[] = [
  {
    kind: 'choice',
    name: 'list',
    label: /*i18n*/ 'Policy list',
    initial(_known, server) {
      const last = lastList(server).read();
      const own = ownLists(server);
      return (own.find(({ roomId }) => roomId === last) ?? own[0])?.roomId ?? '';
    },
    options: (server) => ownLists(server).map(({ roomId, name }) => ({ value: roomId, label: name })),
  },
  recommendationField,
  reasonField,
  hashField,
];

async function forecast(server: Server): Promise<Forecast> {
  if (ownLists(server).length > 0) return { sentences: [] };
  return {
    sentences: [i18n.t('No policy list of your team. Create one under Reports, Policy lists.')],
    idle: true,
  };
}

const addTo = <Kind extends 'user' | 'room' | 'destination'>(
  kind: Kind,
  ruleKind: RuleKind,
  entityOf: (item: ItemOf<Kind>) => string,
  words: Pick<Action, 'id' | 'role' | 'group' | 'hint' | 'label'>,
) =>
  action<Kind>({
    ...words,
    kind,
    icon: IconPlaylistAdd,
    needs: [],
    changes: ['policy-list'],
    words: {
      will: /*i18n*/ "Publishes {count, plural, one {a rule on {name}} other {# rules}} in a policy list of your team. You're added to its room if needed.",
      doing: /*i18n*/ 'Adding {count, plural, one {{name}} other {# rules}} to the policy list',
      done: /*i18n*/ '{count, plural, one {{name}} other {# rules}} added to the policy list',
      undone: /*i18n*/ '{count, plural, one {{name}} other {# rules}} removed from the policy list',
    },
    fields: listFields,
    forecast,
    async run(work, item, answers) {
      const { list } = answers.fields;
      const roomId = ownLists(work.server).find((own) => own.roomId === list)?.roomId ?? '';
      lastList(work.server).write(roomId);
      const fields = { ...answers.fields, [takePower]: true, [leaveAfterwards]: true };
      const { publishNew } = await policyWork();
      const done = await publishNew(work, roomId, ruleKind, entityOf(item), { ...answers, fields });
      return { ...done, detail: `${done.detail} (${roomId})` };
    },
    undo,
  });

const label = /*i18n*/ '{count, plural, one {Add to policy list} other {Add # to policy list}}';

export const addUserToList = addTo('user', 'user', ({ userId }) => userId, {
  id: 'add-user-to-policy-list',
  role: 'moderator',
  group: 'user',
  label,
  hint: /*i18n*/ 'Recommends a ban to other servers',
});
export const addRoomToList = addTo('room', 'room', ({ roomId }) => roomId, {
  id: 'add-room-to-policy-list',
  role: 'moderator',
  group: 'room',
  label,
  hint: /*i18n*/ 'Recommends a block to other servers',
});
export const addServerToList = addTo('destination', 'server', ({ destination }) => destination, {
  id: 'add-server-to-policy-list',
  role: 'moderator',
  group: 'server',
  label,
  hint: /*i18n*/ 'Recommends a ban to other servers',
});

export const policyRules = [editRule, removeRule];

// Server ACLs.

/** Opened from a policy list's page. */
export const denyServers = action<'room'>({
  kind: 'room',
  group: 'room',
  id: 'deny-servers',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Deny servers} other {Deny servers in # rooms}}',
  hint: /*i18n*/ "Adds servers to the room's server ACL",
  icon: IconServerOff,
  needs: [],
  power: 'acl',
  harms: true,
  words: {
    will: /*i18n*/ 'Keeps these servers out of {count, plural, one {{name}} other {# rooms}}: adds them to the server ACL. Your own server is never denied.',
    doing: /*i18n*/ 'Denying servers in {count, plural, one {{name}} other {# rooms}}',
    done: /*i18n*/ 'Servers denied in {count, plural, one {{name}} other {# rooms}}',
    undone: /*i18n*/ 'Servers allowed again in {count, plural, one {{name}} other {# rooms}}',
  },
  fields: [
    {
      kind: 'text',
      name: 'servers',
      label: /*i18n*/ 'Servers',
      note: /*i18n*/ 'One per line; * and ? match any characters.',
      required: true,
      initial: ({ deniedServers = [] }) => deniedServers.join('\n'),
    },
  ],
  run: async (work, item, answers) => (await policyWork()).denyServers(work, item, answers),
  undo: async (work, item, stored) => (await policyWork()).allowServers(work, item, stored),
});
