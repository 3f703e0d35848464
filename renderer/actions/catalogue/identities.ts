/** Linked identities: emails, phone numbers, external IDs. */
import { IconIdBadge2, IconMailPlus, IconTrash } from '@tabler/icons-react';
import type { Identity } from '../../api/identity.ts';
import { hasIdentity, setIdentity } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Form } from '../action.ts';

const ofUser = {
  kind: 'user',
  group: 'user',
  localOnly: true,
  needs: ['users', 'accounts'],
  oneOnly: true,
  takesOver: true,
} as const;

const adds = (identityOf: (fields: Readonly<Record<string, unknown>>) => Identity) => ({
  async run(
    { server }: { server: Server },
    { userId }: { userId: string },
    { fields }: { fields: Readonly<Record<string, unknown>> },
  ) {
    const identity = identityOf(fields);
    const unchanged = await setIdentity(server, userId, identity, true);
    return { undo: identity, unchanged, detail: Object.values(identity).join(' ') };
  },
  undo: ({ server }: { server: Server }, { userId }: { userId: string }, identity: unknown) =>
    setIdentity(server, userId, identity as Identity, false).then(() => undefined),
});

const line = (value: unknown) => String(value).trim();

const mail = (value: unknown): Identity => ({ medium: 'email', address: line(value).toLowerCase() });

/** Removes separators from a phone number. */
const telephone = (value: unknown): Identity => ({
  medium: 'msisdn',
  address: line(value).replaceAll(/[\s()+./-]/g, ''),
});

const isMail = /^[^\s@<>()[\]",;:\\]{1,64}@[^\s@<>()[\]",;:\\]{1,189}$/;

const known = /*i18n*/ 'Already linked to this account';
const faultIn = (identity: Identity, { known: { user } }: Form) =>
  user && hasIdentity(user, identity) ? known : undefined;
const external = ({ provider, masProvider, id }: Readonly<Record<string, unknown>>): Identity => ({
  provider: line(masProvider || provider),
  id: line(id),
});

export const identities = [
  action<'user'>({
    ...ofUser,
    id: 'add-threepid',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Add email or phone} other {Add email or phone to #}}',
    hint: /*i18n*/ 'Allows sign-in and password reset',
    icon: IconMailPlus,
    applies: ({ user }) => user?.threepids !== undefined && !user.deactivated && user.mas !== null,
    words: {
      will: /*i18n*/ "Lets {name} sign in and be found with it. Ownership isn't verified.",
      doing: /*i18n*/ 'Adding address to {name}',
      done: /*i18n*/ 'Address added to {name}',
      undone: /*i18n*/ 'Address removed from {name}',
    },
    fields: [
      {
        kind: 'choice',
        name: 'medium',
        label: /*i18n*/ 'Type',
        initial: 'email',
        // MAS has no phone numbers.
        isShown: ({ server }) => !server.mas,
        options: [
          { value: 'email', label: /*i18n*/ 'Email' },
          { value: 'msisdn', label: /*i18n*/ 'Phone' },
        ],
      },
      {
        kind: 'line',
        name: 'address',
        label: /*i18n*/ 'Address',
        required: true,
        isShown: ({ fields }) => fields.medium === 'email',
        faultOf: (value, form) =>
          isMail.test(value)
            ? faultIn(mail(value), form)
            : /*i18n*/ 'Enter a valid email address, such as name@example.org.',
      },
      {
        kind: 'line',
        name: 'number',
        label: /*i18n*/ 'Phone number',
        note: /*i18n*/ 'With country code: +49 30 123456',
        required: true,
        isShown: ({ fields }) => fields.medium === 'msisdn',
        faultOf(value, form) {
          const identity = telephone(value);
          return 'address' in identity && /^[1-9]\d{4,14}$/.test(identity.address)
            ? faultIn(identity, form)
            : /*i18n*/ 'Enter a valid phone number: 5–15 digits with country code.';
        },
      },
    ],
    ...adds(({ medium, address, number }) => (medium === 'msisdn' ? telephone(number) : mail(address))),
  }),
  action<'user'>({
    ...ofUser,
    id: 'add-external-id',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Add external ID} other {Add # external IDs}}',
    hint: /*i18n*/ 'Allows sign-in through an identity provider',
    icon: IconIdBadge2,
    applies: ({ user }) => user?.external_ids !== undefined && !user.deactivated && user.mas !== null,
    words: {
      will: /*i18n*/ 'Lets {name} sign in with this external account.',
      doing: /*i18n*/ 'Adding external ID to {name}',
      done: /*i18n*/ 'External ID added to {name}',
      undone: /*i18n*/ 'External ID removed from {name}',
    },
    fields: [
      {
        kind: 'line',
        name: 'provider',
        label: /*i18n*/ 'Identity provider',
        note: /*i18n*/ 'As in the server configuration, such as oidc-example',
        required: true,
        isShown: ({ server }) => !server.mas,
      },
      {
        kind: 'line',
        name: 'masProvider',
        label: /*i18n*/ 'Identity provider',
        note: /*i18n*/ 'Name, issuer or ID in Matrix Authentication Service',
        required: true,
        isShown: ({ server }) => Boolean(server.mas),
      },
      {
        kind: 'line',
        name: 'id',
        label: /*i18n*/ 'External ID',
        required: true,
        faultOf: (_value, form) => faultIn(external(form.fields), form),
      },
    ],
    ...adds(external),
  }),
  action<'identity'>({
    id: 'remove-identity',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Remove identity} other {Remove # identities}}',
    hint: /*i18n*/ 'Removes this way to sign in',
    kind: 'identity',
    group: 'user',
    icon: IconTrash,
    usual: true,
    needs: ['users', 'accounts'],
    takesOver: true,
    words: {
      will: /*i18n*/ 'Removes {count, plural, one {{name}} other {# addresses}} from the account, including for sign-in.',
      doing: /*i18n*/ '{count, plural, one {Removing {name}} other {Removing # addresses}}',
      done: /*i18n*/ '{count, plural, one {{name} removed} other {# addresses removed}}',
      undone: /*i18n*/ '{count, plural, one {{name} restored} other {# addresses restored}}',
    },
    async run({ server }, { userId, identity }) {
      const had = await setIdentity(server, userId, identity, false);
      return { unchanged: !had, detail: Object.values(identity).join(' ') };
    },
    undo: ({ server }, { userId, identity }) =>
      setIdentity(server, userId, identity, true).then(() => undefined),
  }),
];
