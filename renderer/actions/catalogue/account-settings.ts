/** User type, experimental features and the names of devices. */
import { IconFlask, IconPencil, IconRobot } from '@tabler/icons-react';
import { Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { changeUser, getDeviceName, getUser, renameDevice } from '../../api/user-changes.ts';
import { getFeatures, setFeature as putFeature } from '../../api/user-signals.ts';
import { action } from '../action.ts';
import { beforeChange, changedSince } from './changes.ts';

const Change = Type.Object({ before: Type.String(), left: Type.String() });

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

/** The types that every Synapse has; others come from its configuration. */
const builtInTypes = ['', 'bot', 'support'];

const typeNow = async (server: Parameters<typeof getUser>[0], userId: string) =>
  (await getUser(server, userId)).user_type ?? '';

export const userType = action<'user'>({
  ...ofUser,
  id: 'change-user-type',
  role: 'lead',
  label: /*i18n*/ '{count, plural, one {Change user type} other {Change # user types}}',
  hint: /*i18n*/ 'Regular, bot or support',
  icon: IconRobot,
  needs: ['users'],
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ 'Changes the user type of {count, plural, one {{name}} other {# users}}. Bots and support users are excluded from some statistics and checks.',
    doing: /*i18n*/ 'Changing {count, plural, one {the user type of {name}} other {# user types}}',
    done: /*i18n*/ '{count, plural, one {User type of {name}} other {# user types}} changed',
    undone: /*i18n*/ '{count, plural, one {User type of {name}} other {# user types}} restored',
  },
  fields: [
    {
      kind: 'choice',
      name: 'type',
      label: /*i18n*/ 'User type',
      initial: ({ user }) =>
        user?.user_type && !builtInTypes.includes(user.user_type) ? 'other' : (user?.user_type ?? ''),
      options: [
        { value: '', label: /*i18n*/ 'Regular' },
        { value: 'bot', label: /*i18n*/ 'Bot' },
        { value: 'support', label: /*i18n*/ 'Support' },
        { value: 'other', label: /*i18n*/ 'Other' },
      ],
    },
    {
      kind: 'line',
      name: 'other',
      label: /*i18n*/ 'Other type',
      note: /*i18n*/ 'As in user_types of the server configuration',
      required: true,
      isShown: ({ fields }) => fields.type === 'other',
    },
  ],
  async run(work, { userId }, { fields }) {
    const { server } = work;
    const left = String((fields.type === 'other' ? fields.other : fields.type) ?? '').trim();
    const { before, unsure } = await beforeChange(
      work,
      () => typeNow(server, userId),
      (now) => now === left,
    );
    if (before !== left) await changeUser(server, userId, () => ({ user_type: left || null }));
    return {
      undo: { before, left },
      unchanged: before === left,
      unsure,
      detail: `${before || 'regular'} → ${left || 'regular'}`,
    };
  },
  async undo({ server }, { userId }, stored) {
    if (!fits(Change, stored)) return;
    if ((await typeNow(server, userId)) !== stored.left) throw changedSince();
    await changeUser(server, userId, () => ({ user_type: stored.before || null }));
  },
});

const FeatureChange = Type.Object({ feature: Type.String(), before: Type.Boolean() });

/** Switched on the user's page, without a panel. */
export const setFeature = action<'user'>({
  ...ofUser,
  id: 'set-experimental-feature',
  role: 'lead',
  label: /*i18n*/ 'Change experimental features',
  hint: /*i18n*/ 'Features of the server for this user',
  icon: IconFlask,
  needs: ['users'],
  words: {
    will: /*i18n*/ 'Changes an experimental feature for {name}.',
    doing: /*i18n*/ 'Changing experimental features of {name}',
    done: /*i18n*/ 'Experimental features of {name} changed',
    undone: /*i18n*/ 'Experimental features of {name} restored',
  },
  async run(work, { userId }, { fields }) {
    const { server } = work;
    const [feature, on] = [String(fields.feature), fields.on === true];
    const { before, unsure } = await beforeChange(
      work,
      async () => (await getFeatures(server, userId))[feature] === true,
      (now) => now === on,
    );
    await putFeature(server, userId, feature, on);
    return {
      undo: { feature, before },
      unchanged: before === on,
      unsure,
      detail: `${feature} ${on ? 'on' : 'off'}`,
    };
  },
  async undo({ server }, { userId }, stored) {
    if (!fits(FeatureChange, stored)) return;
    const { feature, before } = stored;
    if (((await getFeatures(server, userId))[feature] === true) === before) throw changedSince();
    await putFeature(server, userId, feature, before);
  },
});

export const deviceName = action<'device'>({
  id: 'rename-device',
  role: 'lead',
  label: /*i18n*/ 'Rename session',
  hint: /*i18n*/ 'Changes the name that users see',
  kind: 'device',
  group: 'user',
  icon: IconPencil,
  usual: true,
  needs: ['devices'],
  accepts: ({ mas }) => !mas,
  oneOnly: true,
  words: {
    will: /*i18n*/ 'Changes the name of session {name}. Other users can see it.',
    doing: /*i18n*/ 'Renaming session {name}',
    done: /*i18n*/ 'Session {name} renamed',
    undone: /*i18n*/ 'Name of session {name} restored',
  },
  fields: [
    {
      kind: 'line',
      name: 'name',
      label: /*i18n*/ 'Name',
      required: true,
      from: ({ deviceName }) => deviceName ?? '',
      faultOf: (name) => (name.length > 100 ? /*i18n*/ 'Maximum 100 characters' : undefined),
    },
  ],
  async run(work, { userId, deviceId }, { fields }) {
    const { server } = work;
    const left = String(fields.name ?? '').trim();
    // An unchanged name isn't sent.
    if (left === '') return { unchanged: true };
    const { before, unsure } = await beforeChange(
      work,
      () => getDeviceName(server, userId, deviceId),
      (now) => now === left,
    );
    await renameDevice(server, userId, deviceId, left);
    return {
      undo: { before, left },
      unchanged: before === left,
      unsure,
      detail: `${deviceId}: ${before || '–'} → ${left}`,
    };
  },
  async undo({ server }, { userId, deviceId }, stored) {
    if (!fits(Change, stored)) return;
    if ((await getDeviceName(server, userId, deviceId)) !== stored.left) throw changedSince();
    await renameDevice(server, userId, deviceId, stored.before);
  },
});
