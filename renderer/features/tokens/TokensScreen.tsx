import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { IconPlus, IconTicketOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected, UnexpectedEntry } from '../../api/lenient.ts';
import { type RegistrationToken, registrationTokensQuery } from '../../api/registration-tokens.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { SavedViews } from '../../team/SavedViews.tsx';
import { useRoleLimit } from '../../team/use-role.ts';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import { TokenDialog } from './TokenDialog.tsx';
import { stateOf, tokenColumns } from './token-columns.tsx';
import type { TokenSearch } from './token-search.ts';

export function TokensScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/tokens' });
  const navigate = useNavigate({ from: '/tokens' });
  const change = (changes: Partial<TokenSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const query = useQuery(registrationTokensQuery(server));
  const { search, show, order = 'token', dir = 'f' } = address;
  const matches = useMemo(
    () =>
      query.data && [
        ...sorted(matching(query.data.filter(isExpected), { search, show }), order, dir),
        ...(search || show ? [] : query.data.filter((token) => token instanceof UnexpectedEntry)),
      ],
    [query.data, search, show, order, dir],
  );
  const masFields = useMemo(
    () => new Map(query.data?.filter(isExpected).map(({ token, mas }) => [token, mas && { mas }])),
    [query.data],
  );
  const rows = localRows(JSON.stringify([server.id, search, show]), matches, query);
  const columns = useMemo(tokenColumns, []);
  const limit = useRoleLimit('lead');
  const create = () => change({ make: true, token: undefined });
  useCommands(
    limit
      ? []
      : [
          {
            id: 'create token',
            label: i18n.t('Create registration token'),
            group: i18n.t('Registration tokens'),
            keys: ['n', '+'],
            icon: <IconPlus size={17} stroke={1.6} />,
            run: create,
          },
        ],
  );

  if (query.error instanceof NoSuchEndpoint) {
    return (
      <StateMessage
        isScreen
        icon={<IconTicketOff size={24} stroke={1.5} />}
        title={i18n.t("This server doesn't support registration tokens")}
        description={i18n.t('Accounts are managed elsewhere, such as by an authentication service.')}
      />
    );
  }
  const open =
    address.token === undefined
      ? undefined
      : query.data?.filter(isExpected).find(({ token }) => token === address.token);
  const isOpen = (address.make && !limit) || (address.token !== undefined && query.data !== undefined);

  const createButton = (
    <ButtonWithIcon variant="default" aria-haspopup="dialog" icon={IconPlus} onClick={create}>
      {i18n.t('Create token')}
    </ButtonWithIcon>
  );

  return (
    <>
      <ListScreen
        id="tokens"
        views={<SavedViews list="tokens" hasColumns />}
        title={i18n.t('Registration tokens')}
        columns={columns}
        rows={rows}
        idOf={({ token }) => token}
        sort={{ order, dir }}
        onSort={(sort) => change({ order: sort.order as TokenSearch['order'], dir: sort.dir })}
        search={{
          label: i18n.t('Search tokens'),
          value: search,
          onChange: (text) => change({ search: text }),
        }}
        filters={
          <SegmentedControl
            aria-label={i18n.t('Filter tokens')}
            value={show ?? 'all'}
            onChange={(state) =>
              change({ show: state === 'all' ? undefined : (state as TokenSearch['show']) })
            }
            data={[
              { value: 'all', label: i18n.t('All') },
              { value: 'valid', label: i18n.t('Valid') },
              { value: 'used', label: i18n.t('Used up') },
              { value: 'expired', label: i18n.t('Expired') },
              ...(server.mas ? [{ value: 'revoked', label: i18n.t('Revoked') }] : []),
            ]}
          />
        }
        isFiltered={search !== undefined || show !== undefined}
        onClear={() => change({ search: undefined, show: undefined })}
        headingActions={() => (limit ? null : createButton)}
        emptyAction={!limit && createButton}
        above={() => limit && <div className={listClasses.strip}>{limit}</div>}
        countOf={(count) => i18n.t('{count, plural, one {# token} other {# tokens}}', { count })}
        texts={{
          loading: i18n.t('Loading tokens…'),
          loadFailed: i18n.t("Couldn't load tokens"),
          empty: i18n.t('No tokens'),
          emptyNote: i18n.t('Tokens let people register if the server requires one.'),
          noMatches: i18n.t('No matching tokens'),
        }}
        actions={(tokens, onActed) => (
          <ActionBar
            on={{
              tokens: tokens.map((token) => ({
                token,
                actor: server.connection.userId,
                ...masFields.get(token),
              })),
            }}
            onActed={onActed}
          />
        )}
      />
      {isOpen && (
        <TokenDialog
          key={address.make ? 'make' : address.token}
          name={address.make ? undefined : address.token}
          token={open}
          onCreated={({ token }) => change({ make: undefined, token })}
          onClose={() => change({ make: undefined, token: undefined })}
        />
      )}
    </>
  );
}

function matching(
  tokens: readonly RegistrationToken[],
  { search, show }: Pick<TokenSearch, 'search' | 'show'>,
) {
  const now = Date.now();
  const text = search?.toLowerCase();
  return tokens.filter(
    (token) =>
      (text === undefined || token.token.toLowerCase().includes(text)) &&
      (show === undefined || stateOf(token, now) === show),
  );
}

function sorted(tokens: RegistrationToken[], order: NonNullable<TokenSearch['order']>, dir: 'f' | 'b') {
  const sign = dir === 'f' ? 1 : -1;
  // Tokens that never expire sort last.
  const value = (token: RegistrationToken) => token[order] ?? Number.POSITIVE_INFINITY;
  return tokens.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    return left === right ? 0 : sign * (left < right ? -1 : 1);
  });
}
