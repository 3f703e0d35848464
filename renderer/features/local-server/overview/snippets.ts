/** What a client developer begins with, for a server at an address. */
import type { Connection } from '../../../../shared/connection.ts';
import { serverName } from '../../../components/server-name.ts';

export type SnippetKind = 'curl' | 'matrix-js-sdk' | 'element';

/** Whole and to be copied; `NAME` and `PASSWORD` stand for a user of the server's. */
export function snippetOf(kind: SnippetKind, connection: Connection): string {
  const { baseUrl } = connection;
  switch (kind) {
    case 'curl':
      return [
        `curl ${baseUrl}/_matrix/client/versions`,
        '',
        `curl ${baseUrl}/_matrix/client/v3/login \\`,
        `  --json '{"type":"m.login.password","identifier":{"type":"m.id.user","user":"NAME"},"password":"PASSWORD"}'`,
      ].join('\n');
    case 'matrix-js-sdk':
      return [
        `import { createClient } from 'matrix-js-sdk';`,
        '',
        `const guest = createClient({ baseUrl: '${baseUrl}' });`,
        `const { user_id: userId, access_token: accessToken, device_id: deviceId } = await guest.loginRequest({`,
        `  type: 'm.login.password',`,
        `  identifier: { type: 'm.id.user', user: 'NAME' },`,
        `  password: 'PASSWORD',`,
        `});`,
        `const client = createClient({ baseUrl: '${baseUrl}', userId, accessToken, deviceId });`,
        `await client.startClient();`,
      ].join('\n');
    case 'element':
      return JSON.stringify(
        {
          default_server_config: {
            'm.homeserver': { base_url: baseUrl, server_name: serverName(connection) },
          },
        },
        null,
        2,
      );
  }
}
