/** Sessions of an account in Matrix Authentication Service (MAS). */
import { Type } from 'typebox';
import { EmptyObject, Nullable } from '../../../shared/api/common.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import { body, type Server } from '../../transport/server.ts';
import { isExpected, type UnexpectedEntry } from '../lenient.ts';
import type { MasAccount } from './mas.ts';
import { masList } from './mas.ts';

const text = Type.Optional(Nullable(Type.String()));

const Session = Type.Object({
  created_at: text,
  last_active_at: text,
  last_active_ip: text,
  user_agent: text,
  human_name: text,
  scope: text,
  device_id: text,
});

const kinds = ['compat-sessions', 'user-sessions', 'personal-sessions', 'oauth2-sessions'] as const;
export type MasSessionKind = (typeof kinds)[number];

export type MasSession = {
  kind: MasSessionKind;
  id: string;
  /** Undefined for browsers and personal access tokens without a device. */
  deviceId: string | undefined;
  name: string | undefined;
  userAgent: string | undefined;
  ip: string | undefined;
  createdAt: number | undefined;
  lastActiveAt: number | undefined;
};

const timeOf = (time: string | null | undefined) => (time ? Date.parse(time) || undefined : undefined);

async function sessionsOf(server: Server, account: MasAccount, kind: MasSessionKind, signal?: AbortSignal) {
  const filter = {
    // A personal access token's owner may differ from the user it acts for.
    [kind === 'personal-sessions' ? 'actor_user' : 'user']: account.id,
    status: 'active',
  };
  const entries = await masList(server, `/${kind}`, Session, filter, signal).catch((error) => {
    // Older MAS releases lack personal access tokens.
    if (error instanceof NoSuchEndpoint) return [];
    throw error;
  });
  return entries.map((entry): MasSession | UnexpectedEntry => {
    if (!isExpected(entry)) return entry;
    const { id, attributes: of } = entry;
    return {
      kind,
      id,
      deviceId: of.device_id ?? /client:device:(\S+)/.exec(of.scope ?? '')?.[1],
      name: of.human_name ?? undefined,
      userAgent: of.user_agent ?? undefined,
      ip: of.last_active_ip ?? undefined,
      createdAt: timeOf(of.created_at),
      lastActiveAt: timeOf(of.last_active_at),
    };
  });
}

/** Returns the active sessions of every kind. */
export const masSessions = async (server: Server, account: MasAccount, signal?: AbortSignal) =>
  (await Promise.all(kinds.map((kind) => sessionsOf(server, account, kind, signal)))).flat();

/** Ends a session. Succeeds if it has already ended. */
export async function endMasSession({ mas }: Server, { kind, id }: Pick<MasSession, 'kind' | 'id'>) {
  if (!mas) throw new NoSuchEndpoint();
  const verb = kind === 'personal-sessions' ? 'revoke' : 'finish';
  try {
    await mas.send('POST', Type.Unknown(), `/${kind}/${encodeURIComponent(id)}/${verb}`, {
      body: body(EmptyObject, {}),
    });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

const WhoAmI = Type.Object({ device_id: Type.Optional(Type.String()) });

/**
 * Ends an account's sessions, or those of one device; the console's own comes last.
 *
 * @returns the number of sessions
 */
export async function endMasSessions(
  server: Server,
  userId: string,
  account: MasAccount,
  device?: string,
): Promise<number> {
  const isOwnAccount = userId === server.connection.userId;
  const ownDevice = isOwnAccount
    ? (await server.getChat(WhoAmI, '/client/v3/account/whoami')).device_id
    : undefined;
  const isOwnSession = ({ deviceId }: MasSession) => ownDevice !== undefined && deviceId === ownDevice;
  const sessions = (await masSessions(server, account))
    .filter(isExpected)
    .filter(({ deviceId }) => device === undefined || deviceId === device)
    .toSorted((one, other) => Number(isOwnSession(one)) - Number(isOwnSession(other)));
  for (const session of sessions) await endMasSession(server, session);
  return sessions.length;
}
