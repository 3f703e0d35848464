/** Emails and upstream links of an account in Matrix Authentication Service (MAS). */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Nullable } from '../../../shared/api/common.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import { body, type Server } from '../../transport/server.ts';
import { type Identity, isSameIdentity } from '../identity.ts';
import { isExpected } from '../lenient.ts';
import { addMasEmail, type MasAccount, masList } from './mas.ts';

const text = Type.Optional(Nullable(Type.String()));
const Email = Type.Object({ email: Type.String(), created_at: text });
const Link = Type.Object({ provider_id: Type.String(), subject: Type.String(), created_at: text });
const Provider = Type.Object({ issuer: text, human_name: text, brand_name: text });

/** `provider`: the display name of a link's provider. */
type MasIdentity = {
  path: string;
  identity: Identity;
  provider?: string;
  addedAt: number | undefined;
};

const timeOf = (time: string | null | undefined) => (time ? Date.parse(time) || undefined : undefined);

async function providers(server: Server, signal?: AbortSignal) {
  const all = await masList(server, '/upstream-oauth-providers', Provider, {}, signal);
  return all.filter(isExpected).map(({ id, attributes: { human_name, brand_name, issuer } }) => {
    const names = [human_name, brand_name, issuer, id].filter((name) => typeof name === 'string');
    return { id, names, name: names[0] ?? id };
  });
}

export async function masIdentities(
  server: Server,
  { id: user }: MasAccount,
  signal?: AbortSignal,
): Promise<MasIdentity[]> {
  const [emails, links] = await Promise.all([
    masList(server, '/user-emails', Email, { user }, signal),
    masList(server, '/upstream-oauth-links', Link, { user }, signal),
  ]);
  const knownProviders = links.length === 0 ? [] : await providers(server, signal);
  return [
    ...emails.filter(isExpected).map(({ id, attributes: { email, created_at } }) => ({
      path: `/user-emails/${encodeURIComponent(id)}`,
      identity: { medium: 'email' as const, address: email.toLowerCase() },
      addedAt: timeOf(created_at),
    })),
    ...links.filter(isExpected).map(({ id, attributes: { provider_id, subject, created_at } }) => ({
      path: `/upstream-oauth-links/${encodeURIComponent(id)}`,
      identity: { provider: provider_id, id: subject },
      provider: knownProviders.find((each) => each.id === provider_id)?.name ?? provider_id,
      addedAt: timeOf(created_at),
    })),
  ];
}

export const masIdentitiesQuery = (server: Server, userId: string, account: MasAccount) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'mas-identities'],
    queryFn: ({ signal }) => masIdentities(server, account, signal),
    staleTime: 30_000,
  });

const NewLink = Type.Object({ user_id: Type.String(), provider_id: Type.String(), subject: Type.String() });

/** Adds or removes an email or a link. Returns whether the account had it before. */
export async function setMasIdentity(
  server: Server,
  account: MasAccount,
  identity: Identity,
  has: boolean,
): Promise<boolean> {
  if (!server.mas) throw new NoSuchEndpoint();
  const resolvedIdentity = await resolveProvider(server, identity);
  const before = (await masIdentities(server, account)).filter((each) =>
    isSameIdentity(each.identity, resolvedIdentity),
  );
  if (has && before.length === 0) {
    if ('address' in resolvedIdentity) await addMasEmail(server, account, resolvedIdentity.address);
    else {
      await server.mas.send('POST', Type.Unknown(), '/upstream-oauth-links', {
        body: body(NewLink, {
          user_id: account.id,
          provider_id: resolvedIdentity.provider,
          subject: resolvedIdentity.id,
        }),
      });
    }
  }
  if (!has) {
    for (const { path } of before) {
      await server.mas.send('DELETE', Type.Unknown(), path).catch((error) => {
        if (!(error instanceof NotFound)) throw error;
      });
    }
  }
  return before.length > 0;
}

/** Replaces a provider's name with its ID. */
async function resolveProvider(server: Server, identity: Identity): Promise<Identity> {
  if ('address' in identity) return { ...identity, address: identity.address.toLowerCase() };
  const typed = identity.provider.toLowerCase();
  const all = await providers(server);
  const match = all.find(({ names }) => names.some((name) => name.toLowerCase() === typed));
  if (match) return { ...identity, provider: match.id };
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ 'Unknown identity provider: {provider}. Known providers: {known}',
    { provider: identity.provider, known: all.map(({ name }) => name).join(', ') || '–' },
  );
}
