import { i18n } from '@lingui/core';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { authServiceQuery } from '../../api/mas/delegated-accounts.ts';
import type { MasAccount } from '../../api/mas/mas.ts';
import { isDelegated, offeredQuery } from '../../api/supported-endpoints.ts';
import { useConsole, useServer } from '../../console-context.ts';

/** Links to the authentication service if this session can't manage accounts. */
export function DelegatedAccounts() {
  const { host } = useConsole();
  const server = useServer();
  const { data: offered } = useQuery(offeredQuery(server));
  const isElsewhere = offered && isDelegated(offered) && !offered.has('accounts');
  const { data: service } = useQuery({ ...authServiceQuery(server), enabled: isElsewhere === true });
  const issuer = URL.parse(service?.issuer ?? '');
  if (!isElsewhere || !issuer) return null;
  const page = URL.parse(service?.account_management_uri ?? '');
  return (
    <Text size="sm" c="dimmed">
      {i18n.t(
        "Manage accounts, sessions, passwords and emails at {host}. This session can't use its admin API.",
        {
          host: issuer.host,
        },
      )}{' '}
      {page?.protocol === 'https:' && (
        <Anchor component="button" type="button" size="sm" onClick={() => host.openExternal(page.href)}>
          {i18n.t('Open {host}', { host: page.host })}
        </Anchor>
      )}
    </Text>
  );
}

/** Explains missing MAS data. `null`: MAS has no such account; `undefined`: it couldn't be loaded. */
export function MissingMasAccount({ account }: { account: MasAccount | null | undefined }) {
  const { mas } = useServer().connection;
  if (!mas || account) return null;
  const { host } = new URL(mas.url);
  return (
    <Text size="sm" c="dimmed">
      {account === null
        ? i18n.t('No account at {host}', { host })
        : i18n.t("Couldn't load the account from {host}", { host })}
    </Text>
  );
}
