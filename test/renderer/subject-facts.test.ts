/** What the pages of a user, a room and a file show of the server's data. */
import { beforeAll, describe, expect, test } from 'vitest';
import { actingScene, type Scene, uploads } from './acting-scene.ts';
import { unrecognized } from './replying-server.ts';
import { changing, shownScreens } from './shown-screens.tsx';

const screens = shownScreens();
const hour = 3_600_000;

describe('the page of a user', () => {
  const shown = (changes: object) =>
    screens.open('/users/@alice:localhost', {
      interfere: changing(/\/v2\/users\/%40alice%3Alocalhost$/, (user) => ({ ...user, ...changes })),
    });

  test.each([
    ['registered here', {}, 'Registered via Local registration Linked identities None'],
    ['of an application service', { appservice_id: 'bridge' }, 'Registered via Application service: bridge'],
    ['a guest', { is_guest: true }, 'Registered via Guest access'],
    [
      'with an external ID',
      { external_ids: [{ auth_provider: 'oidc', external_id: 'a1' }] },
      'Registered via Possibly identity provider: oidc Linked identities oidc a1',
    ],
    [
      'with addresses, of which only emails and phone numbers can be removed',
      {
        threepids: [
          { medium: 'email', address: 'a@example.org', added_at: Date.now() - 3.5 * hour },
          { medium: 'msisdn', address: '4420', added_at: null },
          { medium: 'pigeon', address: 'loft 3', added_at: null },
        ],
      },
      'Linked identities Email a@example.org added 3 hours ago Remove identity Phone 4420 Remove identity Devices',
    ],
    [
      'who consented',
      { consent_version: '1.0', consent_ts: Date.now() - 2.5 * hour },
      'Consent 1.0 2 hours ago',
    ],
    ['an admin', { admin: true }, 'alice Server admin @alice:localhost'],
    ['locked', { locked: true }, 'alice Locked @'],
    ['suspended', { suspended: true }, 'alice Suspended @'],
    ['shadow-banned', { shadow_banned: true }, 'alice Shadow-banned @'],
    ['deactivated', { deactivated: true }, 'alice Deactivated @alice:localhost'],
    ['erased', { deactivated: true, erased: true }, 'alice Deactivated and erased @alice:localhost'],
    ['a bot', { user_type: 'bot' }, 'alice Bot @'],
    ['never seen', { last_seen_ts: null }, 'Last seen Never or unknown'],
    ['last seen', { last_seen_ts: Date.now() - 2.5 * hour }, 'Last seen 2 hours ago'],
    ['with a creation time in milliseconds', { creation_ts: Date.now() - 2.5 * hour }, 'Created 2 hours ago'],
    ['with one in seconds', { creation_ts: Date.now() / 1000 - 9_000 }, 'Created 2 hours ago'],
  ])('%s', async (_, changes, expected) => {
    expect(await shown(changes)).toContain(expected);
  });

  test('lists devices, the latest first, or connections if the server lists no devices', async () => {
    const connections = [{ ip: '10.1.1.1', last_seen: Date.now() - 2.5 * hour, user_agent: 'Element' }];
    const devices = [
      { device_id: 'OLD', last_seen_ts: Date.now() - 50.5 * hour },
      {
        device_id: 'NEW',
        display_name: 'Phone',
        last_seen_ts: Date.now() - 2.5 * hour,
        last_seen_ip: '10.1.1.1',
      },
    ];
    expect(
      await screens.open('/users/@alice:localhost', {
        interfere: changing(/\/devices$/, () => ({ devices, total: 2 })),
      }),
    ).toContain('Devices 2 devices last seen 2 hours ago Access token');
    expect(
      await screens.open('/users/@alice:localhost', {
        interfere: async (request, forward) => {
          if (request.path.endsWith('/devices')) return unrecognized;
          return changing(/\/whois\//, (body) => ({
            ...body,
            devices: { '': { sessions: [{ connections }] } },
          }))(request, forward);
        },
      }),
    ).toContain('Devices 1 connection last seen 2 hours ago');
  });

  test.each([
    ['/users/alice', 'Invalid user ID'],
    ['/users/@nobody:localhost', 'Account not found No local user has this ID.'],
  ])('%s: %s', async (path, expected) => {
    expect(await screens.open(path)).toContain(expected);
  });
});

describe('the page of a room', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await actingScene(screens.homeserver);
  });
  const shown = (changes: object, block = {}) => {
    const room = changing(/\/v1\/rooms\/[^/]+$/, (body) => ({ ...body, ...changes }));
    const blocked = changing(/\/rooms\/[^/]+\/block$/, (body) => ({ ...body, ...block }));
    return screens.open(`/rooms/${scene.roomId}`, {
      isSpacious: true,
      interfere: (request, forward) => room(request, () => blocked(request, forward)),
    });
  };

  test.each([
    ['named', { canonical_alias: '#lobby:localhost' }, 'Aliases #lobby:localhost main'],
    ['without a name', { name: null, canonical_alias: '#lobby:localhost' }, '#lobby:localhost Public'],
    ['encrypted', { encryption: 'm.megolm.v1' }, 'Encryption On ( m.megolm.v1 )'],
    ['unencrypted', { encryption: null }, 'Encryption Off'],
    ['open to guests', { guest_access: 'can_join' }, 'Guest access Allowed'],
    ['closed to guests', { guest_access: 'forbidden' }, 'Guest access Forbidden'],
    ['federated', { federatable: true }, 'Federation Remote users can join'],
    ['not federated', { federatable: false }, 'Federation Local users only'],
    [
      'replaced',
      { tombstoned: true, replacement_room: '!next:localhost' },
      'Replaced by Replacement room : !next :localhost',
    ],
    ['with members', { joined_members: 1200, joined_local_members: 3 }, '1,200 members, 3 local'],
    ['of an unknown size', { joined_members: null }, 'Members Members'],
    ['with much state', { state_events: 1001 }, 'Load power levels (1,001 state events)'],
    ['without a count of state', { state_events: null }, 'Load power levels'],
    ['listed', { public: true }, 'Room directory Published'],
    ['not listed', { public: false }, 'Room directory Not published'],
    ['whose history anyone reads', { history_visibility: 'world_readable' }, 'Anyone, without joining'],
    ['whose join rule is new', { join_rules: 'ask_nicely' }, 'Join rule ask_nicely'],
  ])('%s', async (_, changes, expected) => {
    expect(await shown(changes)).toContain(expected);
  });

  test('shows its power levels, members and report counts', async () => {
    const text = await shown({});
    expect(text).toContain('alice @alice :localhost 100 Default: 0. Redacting needs 50, banning 50.');
    expect(text).toContain('3 members, 3 local');
    expect(text).toContain('Event reports 1 from room Room reports 0 on room');
    expect(text).toContain('Blocked No');
  });

  test('says who has blocked it', async () => {
    const text = await shown({}, { block: true, user_id: '@bob:localhost' });
    expect(text).toContain("Blocked Yes: local users can't join Blocked by : @bob :localhost");
  });

  test('unknown rooms may be blocked', async () => {
    const unknown = (isBlocked: boolean) =>
      screens.open('/rooms/!gone:localhost', {
        interfere: changing(/\/block$/, () => ({ block: isBlocked })),
      });
    expect(await unknown(false)).toContain(
      'Unknown room Deleted, or belongs to another server. Not blocked.',
    );
    expect(await unknown(true)).toContain(
      "Unknown room Deleted, or belongs to another server. Blocked: local users can't join.",
    );
  });
});

describe('the page of a file', () => {
  let file = '';
  let scene: Scene;
  beforeAll(async () => {
    scene = await actingScene(screens.homeserver);
    [file = ''] = await uploads(scene, 1);
  });
  const shown = (changes: object) =>
    screens.open(`/media/uploads/${file}`, {
      interfere: changing(/\/media\/[^/]+\/[^/]+$/, ({ media_info, ...rest }) => ({
        ...rest,
        media_info: { ...(media_info as object), ...changes },
      })),
    });

  test.each([
    ['quarantined', { quarantined_by: '@bob:localhost' }, 'Quarantined by @bob:localhost'],
    ['protected', { safe_from_quarantine: true }, 'Protected'],
    ['never accessed', { last_access_ts: null }, 'Last accessed Never'],
    ['small', { media_length: 999 }, 'Size 999 B'],
    ['large', { media_length: 1_000 }, 'Size 1 kB (1,000 bytes)'],
    ['for signed-in users', { authenticated: true }, 'Access Signed-in users'],
    ['for everyone', { authenticated: 0 }, 'Access Anyone with the link'],
    ['of a type without a preview', { media_type: 'text/html' }, 'Preview Only for PNG, JPEG, GIF and WebP'],
    ['an image', { media_type: 'image/png' }, 'Preview Show image'],
  ])('%s', async (_, changes, expected) => {
    expect(await shown(changes)).toContain(expected);
  });

  test("is known as its uploader's avatar", async () => {
    const avatar = {
      interfere: changing(/\/v2\/users\//, (user) => ({ ...user, avatar_url: `mxc://${file}` })),
    };
    expect(await screens.open(`/media/uploads/${file}`, avatar)).toContain("Used as the uploader's avatar.");
    expect(await screens.open(`/media/uploads/${file}`)).not.toContain("Used as the uploader's avatar.");
  });

  test('that is unknown', async () => {
    expect(await screens.open('/media/uploads/localhost/nothing')).toContain('File not found');
  });
});
