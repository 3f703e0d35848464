import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../shared/connection.ts';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { getDialects } from '../../../../shared/workbench/configuration.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { serverName } from '../../../transport/server-name.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';

/** The API path variants that the server supports. */
export const supportedDialectsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'dialects'],
    queryFn: ({ signal }) => get(getDialects.response[200], workbenchPaths.dialects, signal),
  });

type SnippetKind = 'curl' | 'matrix-js-sdk' | 'element';

/** Returns example code with the placeholders `NAME` and `PASSWORD`; undefined if the client needs `/_matrix` paths. */
function snippetOf(
  kind: SnippetKind,
  connection: Connection,
  supported: readonly DialectName[],
): string | undefined {
  const { baseUrl } = connection;
  const { chat } = dialects[supported.includes('matrix') ? 'matrix' : 'vendor'];
  const isMatrix = chat === dialects.matrix.chat;
  switch (kind) {
    case 'curl':
      return [
        `curl ${baseUrl}${chat}/client/versions`,
        '',
        `curl ${baseUrl}${chat}/client/v3/login \\`,
        `  --json '{"type":"m.login.password","identifier":{"type":"m.id.user","user":"NAME"},"password":"PASSWORD"}'`,
      ].join('\n');
    case 'matrix-js-sdk': {
      const fetchOption = isMatrix ? '' : ', fetchFn';
      return [
        `import { createClient } from 'matrix-js-sdk';`,
        '',
        ...(isMatrix
          ? []
          : [
              `const fetchFn = (url, options) =>`,
              `  fetch(String(url).replace('${dialects.matrix.chat}/', '${chat}/'), options);`,
            ]),
        `const guest = createClient({ baseUrl: '${baseUrl}'${fetchOption} });`,
        `const { user_id: userId, access_token: accessToken, device_id: deviceId } = await guest.loginRequest({`,
        `  type: 'm.login.password',`,
        `  identifier: { type: 'm.id.user', user: 'NAME' },`,
        `  password: 'PASSWORD',`,
        `});`,
        `const client = createClient({ baseUrl: '${baseUrl}', userId, accessToken, deviceId${fetchOption} });`,
        `await client.startClient();`,
      ].join('\n');
    }
    case 'element':
      return isMatrix ? elementConfiguration(connection) : undefined;
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

const snippetKinds: { value: SnippetKind; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'matrix-js-sdk', label: 'matrix-js-sdk' },
  { value: 'element', label: 'Element' },
];

export function Snippets() {
  const [kind, setKind] = useState<SnippetKind>('curl');
  return (
    <>
      <div>
        <SegmentedControl
          aria-label={i18n.t('Client')}
          value={kind}
          onChange={(value) => setKind(value as SnippetKind)}
          data={snippetKinds}
        />
      </div>
      <Loaded
        query={useQuery(supportedDialectsQuery(useWorkbench()))}
        loading={i18n.t('Loading addresses…')}
        lines={4}
        notFound={i18n.t('Not supported by this server.')}
      >
        {({ dialects }) => <Snippet kind={kind} supported={dialects} />}
      </Loaded>
    </>
  );
}

function Snippet({ kind, supported }: { kind: SnippetKind; supported: readonly DialectName[] }) {
  const text = snippetOf(kind, useWorkbench().connection, supported);
  const client = snippetKinds.find(({ value }) => value === kind)?.label ?? kind;
  if (text === undefined) {
    return (
      <p>
        {i18n.t(
          '{client} needs /_matrix paths. Set api_dialects: [vendor, matrix] in the server configuration.',
          { client },
        )}
      </p>
    );
  }
  return (
    <>
      <CopyText block text={text} label={i18n.t('{client} example', { client })} />
      {kind === 'element' && (
        <p className={classes.dim}>
          {i18n.t(
            'config.json for an Element on this computer. An https Element may not reach an unencrypted server.',
          )}
        </p>
      )}
    </>
  );
}
