/** What a client developer begins with, for a server at an address. */
import type { Connection } from '../../../../shared/connection.ts';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { serverName } from '../../../transport/server-name.ts';

export type SnippetKind = 'curl' | 'matrix-js-sdk' | 'element';

/**
 * Whole and to be copied; `NAME` and `PASSWORD` stand for a user of the server's.
 *
 * @param answered the dialects in which the server answers
 * @returns undefined where such a client speaks none of them
 */
export function snippetOf(
  kind: SnippetKind,
  connection: Connection,
  answered: readonly DialectName[],
): string | undefined {
  const { baseUrl } = connection;
  const { chat } = dialects[answered.includes('matrix') ? 'matrix' : 'vendor'];
  const isUsual = chat === dialects.matrix.chat;
  switch (kind) {
    case 'curl':
      return [
        `curl ${baseUrl}${chat}/client/versions`,
        '',
        `curl ${baseUrl}${chat}/client/v3/login \\`,
        `  --json '{"type":"m.login.password","identifier":{"type":"m.id.user","user":"NAME"},"password":"PASSWORD"}'`,
      ].join('\n');
    case 'matrix-js-sdk': {
      const asking = isUsual ? '' : ', fetchFn';
      return [
        `import { createClient } from 'matrix-js-sdk';`,
        '',
        ...(isUsual
          ? []
          : [
              `const fetchFn = (url, options) =>`,
              `  fetch(String(url).replace('${dialects.matrix.chat}/', '${chat}/'), options);`,
            ]),
        `const guest = createClient({ baseUrl: '${baseUrl}'${asking} });`,
        `const { user_id: userId, access_token: accessToken, device_id: deviceId } = await guest.loginRequest({`,
        `  type: 'm.login.password',`,
        `  identifier: { type: 'm.id.user', user: 'NAME' },`,
        `  password: 'PASSWORD',`,
        `});`,
        `const client = createClient({ baseUrl: '${baseUrl}', userId, accessToken, deviceId${asking} });`,
        `await client.startClient();`,
      ].join('\n');
    }
    case 'element':
      return isUsual ? elementConfiguration(connection) : undefined;
  }
}

const elementConfiguration = (connection: Connection) =>
  JSON.stringify(
    {
      default_server_config: {
        'm.homeserver': { base_url: connection.baseUrl, server_name: serverName(connection) },
      },
    },
    null,
    2,
  );
