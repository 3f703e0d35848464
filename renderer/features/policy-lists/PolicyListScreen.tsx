import { i18n } from '@lingui/core';
import { IconArrowLeft, IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { policyListQuery } from '../../api/policy-lists/policy-lists.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import tabClasses from '../../components/page/PageTabs.module.css';
import { useServer } from '../../console-context.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { MatchesTab } from './MatchesTab.tsx';
import type { OpenList } from './open-list.ts';
import type { PolicyListSearch } from './policy-list-search.ts';
import { RulesTab } from './RulesTab.tsx';
import { ServerAclTab } from './ServerAclTab.tsx';
import { useWatchedLists } from './use-policy-lists.ts';

/** One policy list: its rules, their matches on this server, and server ACLs from them. */
export function PolicyListScreen() {
  const { listId: roomId } = useParams({ from: '/frame/server/reports/lists/$listId' });
  const search = useSearch({ from: '/frame/server/reports/lists/$listId' });
  const navigate = useNavigate({ from: '/reports/lists/$listId' });
  const server = useServer();
  const query = useQuery(policyListQuery(server, roomId));
  const document = useWatchedLists().find((list) => list.roomId === roomId);
  const change = (changes: Partial<PolicyListSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...changes }) });
  const { data } = query;
  const list = useMemo(
    (): OpenList | undefined =>
      data && {
        ...data,
        roomId,
        name: data.name ?? document?.name ?? roomId,
        publish: document?.publish === true,
      },
    [data, roomId, document],
  );
  const tabs = <Tabs roomId={roomId} />;
  return (
    <LoadedScreen
      id={roomId}
      query={query}
      loading={i18n.t('Loading policy list…')}
      failed={i18n.t("Couldn't load policy list")}
      notFound={
        <StateMessage
          icon={<IconListDetails size={24} stroke={1.5} />}
          title={i18n.t('Policy list not found')}
          description={i18n.t('No local user is in this room any longer. Watch the list again.')}
        />
      }
    >
      {() => {
        const props = { list: list as OpenList, tabs, search, onChange: change };
        if (search.tab === 'matches') return <MatchesTab key="matches" {...props} />;
        if (search.tab === 'acl') return <ServerAclTab key="acl" {...props} />;
        return (
          <RulesTab
            key="rules"
            {...props}
            query={query}
            isWatched={document !== undefined}
            onUnwatched={() => void navigate({ to: '/reports/lists' })}
          />
        );
      }}
    </LoadedScreen>
  );
}

function Tabs({ roomId }: { roomId: string }) {
  const tab = (name: string, id: PolicyListSearch['tab']) => (
    <Link
      to="/reports/lists/$listId"
      params={{ listId: roomId }}
      search={{ tab: id }}
      // Without `tab` in the address, the first tab is active, even with filters.
      activeOptions={{ includeSearch: true, explicitUndefined: true }}
      className={tabClasses.tab}
    >
      {name}
    </Link>
  );
  return (
    <nav className={tabClasses.list} aria-label={i18n.t('Related pages')}>
      <Link to="/reports/lists" activeOptions={{ exact: true }} className={tabClasses.tab}>
        <IconArrowLeft size={13} aria-hidden /> {i18n.t('Policy lists')}
      </Link>
      {tab(i18n.t('Rules'), undefined)}
      {tab(i18n.t('Matches'), 'matches')}
      {tab(i18n.t('Server ACL'), 'acl')}
    </nav>
  );
}
