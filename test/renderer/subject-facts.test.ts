/** What the pages of a user and a room show of the server's data. */
import { describe, expect, test } from 'vitest';
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
  ])('%s', async (_, changes, expected) => {
    expect(await shown(changes)).toContain(expected);
  });
});
