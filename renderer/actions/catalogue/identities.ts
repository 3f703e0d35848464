/** By what users are known elsewhere: mail addresses, telephone numbers, accounts of other services. */
import { IconIdBadge2, IconMailPlus, IconTrash } from '@tabler/icons-react';
import type { Identity } from '../../api/identity.ts';
import { isKnownBy, setIdentity } from '../../api/user-changes.ts';
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

/** Without what people write into a number to read it by. */
const telephone = (value: unknown): Identity => ({
  medium: 'msisdn',
  address: line(value).replaceAll(/[\s()+./-]/g, ''),
});

const isMail = /^[^\s@<>()[\]",;:\\]{1,64}@[^\s@<>()[\]",;:\\]{1,189}$/;

const known = /*i18n*/ 'They are known by it already.';
const faultIn = (identity: Identity, { known: { user } }: Form) =>
  user && isKnownBy(user, identity) ? known : undefined;
const external = ({ provider, masProvider, id }: Readonly<Record<string, unknown>>): Identity => ({
  provider: line(masProvider || provider),
  id: line(id),
});

export const identities = [
  action<'user'>({
    ...ofUser,
    id: 'add-threepid',
    icon: IconMailPlus,
    applies: ({ user }) => user?.threepids !== undefined && !user.deactivated && user.mas !== null,
    words: {
      will: /*i18n*/ '{name} can sign in with it and be found by it. Nobody is asked whether it is theirs.',
      doing: /*i18n*/ 'Adding an address to {name}',
      done: /*i18n*/ '{name} has one address more',
      undone: /*i18n*/ '{name} no longer has the address',
    },
    fields: [
      {
        kind: 'choice',
        name: 'medium',
        label: /*i18n*/ 'Kind',
        initial: 'email',
        // MAS has no phone numbers.
        asked: ({ server }) => !server.mas,
        options: [
          { value: 'email', label: /*i18n*/ 'Mail address' },
          { value: 'msisdn', label: /*i18n*/ 'Telephone number' },
        ],
      },
      {
        kind: 'line',
        name: 'address',
        label: /*i18n*/ 'Address',
        required: true,
        asked: ({ fields }) => fields.medium === 'email',
        faultOf: (value, form) =>
          isMail.test(value)
            ? faultIn(mail(value), form)
            : /*i18n*/ 'This is no mail address: name@example.org',
      },
      {
        kind: 'line',
        name: 'number',
        label: /*i18n*/ 'Number',
        note: /*i18n*/ 'With the code of its country: +49 30 123456',
        required: true,
        asked: ({ fields }) => fields.medium === 'msisdn',
        faultOf(value, form) {
          const identity = telephone(value);
          return 'address' in identity && /^[1-9]\d{4,14}$/.test(identity.address)
            ? faultIn(identity, form)
            : /*i18n*/ 'This is no telephone number: five to fifteen digits, the first ones those of its country.';
        },
      },
    ],
    ...adds(({ medium, address, number }) => (medium === 'msisdn' ? telephone(number) : mail(address))),
  }),
  action<'user'>({
    ...ofUser,
    id: 'add-external-id',
    icon: IconIdBadge2,
    applies: ({ user }) => user?.external_ids !== undefined && !user.deactivated && user.mas !== null,
    words: {
      will: /*i18n*/ 'Whoever signs in to that service with this account is {name} here.',
      doing: /*i18n*/ 'Adding an external account to {name}',
      done: /*i18n*/ '{name} has one external account more',
      undone: /*i18n*/ '{name} no longer has the external account',
    },
    fields: [
      {
        kind: 'line',
        name: 'provider',
        label: /*i18n*/ 'Service',
        note: /*i18n*/ 'As the server’s configuration names it, for example oidc-example',
        required: true,
        asked: ({ server }) => !server.mas,
      },
      {
        kind: 'line',
        name: 'masProvider',
        label: /*i18n*/ 'Identity provider',
        note: /*i18n*/ 'Its name, issuer or ID in Matrix Authentication Service',
        required: true,
        asked: ({ server }) => Boolean(server.mas),
      },
      {
        kind: 'line',
        name: 'id',
        label: /*i18n*/ 'Account there',
        required: true,
        faultOf: (_value, form) => faultIn(external(form.fields), form),
      },
    ],
    ...adds(external),
  }),
  action<'identity'>({
    id: 'remove-identity',
    kind: 'identity',
    group: 'user',
    icon: IconTrash,
    usual: true,
    needs: ['users', 'accounts'],
    takesOver: true,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} no longer belongs to the account: nobody can sign in with it.} other {# addresses no longer belong to the account: nobody can sign in with them.}}',
      doing: /*i18n*/ '{count, plural, one {Removing {name}} other {Removing # addresses}}',
      done: /*i18n*/ '{count, plural, one {{name} is removed} other {# addresses are removed}}',
      undone: /*i18n*/ '{count, plural, one {{name} is there again} other {# addresses are there again}}',
    },
    async run({ server }, { userId, identity }) {
      const had = await setIdentity(server, userId, identity, false);
      return { unchanged: !had, detail: Object.values(identity).join(' ') };
    },
    undo: ({ server }, { userId, identity }) =>
      setIdentity(server, userId, identity, true).then(() => undefined),
  }),
];
