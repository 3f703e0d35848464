/** The admin API of the MAS stand-in, with the shapes of MAS's OpenAPI document. */
type MasUser = {
  username: string;
  created_at: string;
  locked_at: string | null;
  deactivated_at: string | null;
  admin: boolean;
  legacy_guest: boolean;
};
type Attributes = Record<string, unknown>;
type Resource = { id: string; attributes: Attributes };

const kinds = [
  'users',
  'user-emails',
  'upstream-oauth-providers',
  'upstream-oauth-links',
  'compat-sessions',
  'oauth2-sessions',
  'user-sessions',
  'personal-sessions',
  'user-registration-tokens',
] as const;
type Kind = (typeof kinds)[number];

type Options = {
  /** Provisions the homeserver through `/_synapse/mas/`, as MAS does. */
  provision: (endpoint: string, body: object) => Promise<void>;
  onEnded: (sessionId: string) => void;
};

export function masAdmin({ provision, onEnded }: Options) {
  let count = 0;
  const newId = () => `01J${String(++count).padStart(23, '0')}`;
  const now = () => new Date().toISOString();
  const lists = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<
    Kind,
    Map<string, Attributes>
  >;

  function add(kind: Kind, attributes: Attributes): Resource {
    const id = newId();
    lists[kind].set(id, { created_at: now(), ...attributes });
    return { id, attributes: lists[kind].get(id) ?? {} };
  }

  const addUser = (username: string, admin = false): Resource & { attributes: MasUser } =>
    (find('users', { username }) ??
      add('users', {
        username,
        locked_at: null,
        deactivated_at: null,
        admin,
        legacy_guest: false,
      })) as Resource & { attributes: MasUser };

  function find(kind: Kind, wanted: Attributes): Resource | undefined {
    for (const [id, attributes] of lists[kind]) {
      if (Object.entries(wanted).every(([name, value]) => attributes[name] === value))
        return { id, attributes };
    }
    return undefined;
  }

  const provisionUser = ({ id, attributes }: Resource) =>
    provision('provision_user', {
      localpart: attributes.username,
      locked: attributes.locked_at !== null,
      set_emails: [...lists['user-emails'].values()].flatMap(({ user_id, email }) =>
        user_id === id ? [email] : [],
      ),
    });

  const resource = (kind: Kind, { id, attributes }: Resource) => ({
    type: kind.replace(/s$/, ''),
    id,
    attributes,
    links: { self: `/api/admin/v1/${kind}/${id}` },
  });

  const single = (kind: Kind, entry: Resource, status = 200) => {
    const data = resource(kind, entry);
    return reply(status, { data, links: data.links });
  };

  const filters: Record<string, (attributes: Attributes, value: string) => boolean> = {
    user: ({ user_id }, value) => user_id === value,
    actor_user: ({ actor_user_id }, value) => actor_user_id === value,
    status: ({ finished_at, revoked_at, locked_at, deactivated_at }, value) =>
      (value === 'active') === !(finished_at ?? revoked_at ?? locked_at ?? deactivated_at),
    admin: ({ admin }, value) => String(admin) === value,
    email: ({ email }, value) => email === value,
    provider: ({ provider_id }, value) => provider_id === value,
    subject: ({ subject }, value) => subject === value,
  };

  function list(kind: Kind, query: URLSearchParams) {
    const all = [...lists[kind]].filter(([, attributes]) =>
      [...query].every(([name, value]) => {
        const filter = /^filter\[(.*)\]$/.exec(name)?.[1];
        return filter === undefined || (filters[filter]?.(attributes, value) ?? true);
      }),
    );
    const first = Number(query.get('page[first]') ?? 10);
    const after = query.get('page[after]');
    const from = after === null ? 0 : all.findIndex(([id]) => id === after) + 1;
    const page = all.slice(from, from + first).map(([id, attributes]) => resource(kind, { id, attributes }));
    const next = from + first < all.length && {
      next: `/api/admin/v1/${kind}?page[after]=${page.at(-1)?.id}`,
    };
    return reply(200, {
      meta: { count: all.length },
      data: page,
      links: { self: `/api/admin/v1/${kind}`, ...next },
    });
  }

  async function changeUser(user: Resource, change: string, body: Attributes) {
    const { attributes } = user;
    switch (change) {
      case 'lock':
      case 'unlock':
        attributes.locked_at = change === 'lock' ? now() : null;
        await provisionUser(user);
        break;
      case 'deactivate':
        attributes.deactivated_at ??= now();
        await endAll(user.id);
        await provision('delete_user', { localpart: attributes.username, erase: body.skip_erase !== true });
        break;
      case 'reactivate':
        attributes.deactivated_at = null;
        await provision('reactivate_user', { localpart: attributes.username });
        break;
      case 'set-admin':
        attributes.admin = body.admin === true;
        break;
      case 'set-password':
        if (!admin.passwords) return failure(403, 'Password auth is disabled');
        if (String(body.password).length < 8) return failure(400, 'Password is too weak');
        admin.passwordOf.set(String(attributes.username), String(body.password));
        return reply(204);
      default:
        return undefined;
    }
    return single('users', user);
  }

  async function end(kind: Kind, { id, attributes }: Resource) {
    const field = kind === 'personal-sessions' ? 'revoked_at' : 'finished_at';
    if (attributes[field])
      return failure(kind === 'personal-sessions' ? 409 : 400, 'Session is already finished');
    attributes[field] = now();
    onEnded(id);
    const device = attributes.device_id ?? /client:device:(\S+)/.exec(String(attributes.scope))?.[1];
    const localpart = lists.users.get(String(attributes.user_id))?.username;
    if (device) await provision('delete_device', { localpart, device_id: device });
    return single(kind, { id, attributes });
  }

  async function endAll(userId: string) {
    for (const kind of kinds.filter((name) => name.endsWith('-sessions'))) {
      for (const [id, attributes] of lists[kind]) {
        if ((attributes.user_id ?? attributes.actor_user_id) === userId) await end(kind, { id, attributes });
      }
    }
  }

  async function create(kind: Kind, body: Attributes) {
    const taken = (wanted: Attributes, what: string) => find(kind, wanted) && failure(409, what);
    switch (kind) {
      case 'users': {
        if (!/^[a-z0-9._=/+-]+$/.test(String(body.username))) return failure(400, 'Username is not valid');
        const refused = taken({ username: body.username }, 'User already exists');
        if (refused) return refused;
        const user = addUser(String(body.username));
        await provisionUser(user);
        return single(kind, user, 201);
      }
      case 'user-emails': {
        const user = lists.users.get(String(body.user_id));
        if (!user) return failure(404, 'User ID not found');
        const refused = taken({ email: body.email }, `User email "${body.email}" already in use`);
        if (refused) return refused;
        const email = add(kind, { user_id: body.user_id, email: body.email });
        await provisionUser({ id: String(body.user_id), attributes: user });
        return single(kind, email, 201);
      }
      case 'upstream-oauth-links': {
        if (!lists['upstream-oauth-providers'].has(String(body.provider_id))) {
          return failure(404, 'Upstream provider not found');
        }
        const { user_id, provider_id, subject } = body;
        const refused = taken({ provider_id, subject }, 'Link already exists');
        return refused ?? single(kind, add(kind, { user_id, provider_id, subject }), 201);
      }
      case 'user-registration-tokens':
        return single(kind, add(kind, tokenAttributes(body)), 201);
      default:
        return undefined;
    }
  }

  const tokenAttributes = (body: Attributes) => ({
    token: body.token ?? `token${newId()}`,
    valid: true,
    usage_limit: body.usage_limit ?? null,
    times_used: 0,
    last_used_at: null,
    expires_at: body.expires_at ?? null,
    revoked_at: null,
  });

  async function answer(method: string, path: string, query: URLSearchParams, body: Attributes) {
    if (path === '/site-config') {
      return reply(200, { server_name: 'localhost', password_login_enabled: admin.passwords });
    }
    const [, name, id = '', rest] = path.split('/').map(decodeURIComponent);
    const kind = kinds.find((each) => each === name);
    if (!kind) return undefined;
    if (method === 'GET' && id === '') return list(kind, query);
    if (method === 'POST' && id === '') return create(kind, body);
    if (id === 'by-username') {
      const user = find('users', { username: rest });
      return user ? single(kind, user) : failure(404, `User with username "${rest}" not found`);
    }
    const attributes = lists[kind].get(id);
    if (!attributes) return failure(404, `${kind} ID ${id} not found`);
    const entry = { id, attributes };
    if (method === 'DELETE' && ['user-emails', 'upstream-oauth-links'].includes(kind)) {
      lists[kind].delete(id);
      const user = lists.users.get(String(attributes.user_id));
      if (kind === 'user-emails' && user)
        await provisionUser({ id: String(attributes.user_id), attributes: user });
      return reply(204);
    }
    if (method === 'GET' && rest === undefined) return single(kind, entry);
    if (kind === 'user-registration-tokens' && method === 'PUT') {
      for (const field of ['expires_at', 'usage_limit']) if (field in body) attributes[field] = body[field];
      return single(kind, entry);
    }
    if (method !== 'POST' || rest === undefined) return undefined;
    if (kind === 'users') return changeUser(entry, rest, body);
    if (kind === 'user-registration-tokens') {
      if ((attributes.revoked_at !== null) === (rest === 'revoke')) return failure(400, `Can't ${rest}`);
      Object.assign(attributes, { revoked_at: rest === 'revoke' ? now() : null, valid: rest !== 'revoke' });
      return single(kind, entry);
    }
    if (rest === (kind === 'personal-sessions' ? 'revoke' : 'finish')) return end(kind, entry);
    return undefined;
  }

  const admin = {
    /** Enables password login. */
    passwords: true,
    passwordOf: new Map<string, string>(),
    lists,
    add,
    addUser,
    provisionUser,
    find,
    /** Returns the reply; undefined for unknown paths. */
    answer,
  };
  return admin;
}

const reply = (status: number, body?: unknown) => ({
  status,
  ...(body !== undefined && { type: 'application/json', body: JSON.stringify(body) }),
});

export const failure = (status: number, title: string) => reply(status, { errors: [{ title }] });
