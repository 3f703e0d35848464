import { i18n } from '@lingui/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { mediumQuery } from '../../api/media.ts';
import { type QuarantineChange, quarantineChangesQuery } from '../../api/quarantine-changes.ts';
import { ChoiceField } from '../../components/filters/FilterFields.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import { StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { columnsOfUris, MediaDetail } from '../../subjects/media/MediaDetail.tsx';

/** Lists when files were quarantined and released, newest first. The server doesn't report the time or the admin. */
export function QuarantineChangesScreen() {
  const server = useServer();
  const { to } = useSearch({ from: '/frame/server/media/quarantine-changes' });
  const navigate = useNavigate({ from: '/media/quarantine-changes' });
  const show = (change: typeof to) => navigate({ search: (current) => ({ ...current, to: change }) });
  const query = useQuery(quarantineChangesQuery(server));
  const changes = useMemo(
    () =>
      query.data?.changes.filter(
        ({ isQuarantined }) => to === undefined || isQuarantined === (to === 'quarantined'),
      ),
    [query.data, to],
  );
  const rows = localRows(JSON.stringify([server.id, 'quarantine changes', to]), changes, query);
  return (
    <MediaReveal>
      <ListScreen
        id="quarantine-changes"
        title={i18n.t('Quarantine changes')}
        columns={useMemo(columns, [])}
        rows={rows}
        idOf={({ position }) => String(position)}
        filters={
          <ChoiceField
            label={i18n.t('Change')}
            value={to}
            none={i18n.t('All changes')}
            choices={[
              { value: 'quarantined', label: i18n.t('Quarantined') },
              { value: 'released', label: i18n.t('Removed from quarantine') },
            ]}
            onChange={show}
          />
        }
        isFiltered={to !== undefined}
        onClear={() => show(undefined)}
        countOf={(count) =>
          i18n.t('{count, plural, one {# change} other {# changes}}, newest first', { count })
        }
        texts={{
          loading: i18n.t('Loading quarantine changes…'),
          loadFailed: i18n.t("Couldn't load quarantine changes"),
          empty: i18n.t('No quarantine changes'),
          emptyNote: i18n.t('No file was quarantined or released yet.'),
          noMatches: i18n.t('No matching changes'),
        }}
        actions={(selected, onActed) => (
          <ChangedFiles uris={urisOf(changes ?? [], selected)} onActed={onActed} />
        )}
      />
    </MediaReveal>
  );
}

type ChangedFilesProps = { uris: readonly string[]; onActed: () => void };

/** Actions on files, logged with their uploaders as far as the list has loaded them, else under the admin's own ID. */
function ChangedFiles({ uris, onActed }: ChangedFilesProps) {
  const server = useServer();
  const files = useQueries({ queries: uris.map((uri) => ({ ...mediumQuery(server, uri), enabled: false })) });
  const media = uris.map((uri, index) => ({
    uri,
    of: { userId: files[index]?.data?.user_id ?? server.connection.userId },
  }));
  return <ActionBar on={{ media }} onActed={onActed} />;
}

/** A file can be selected several times. */
const urisOf = (changes: readonly QuarantineChange[], selected: readonly string[]) => {
  const positions = new Set(selected);
  return [...new Set(changes.flatMap(({ position, uri }) => (positions.has(String(position)) ? [uri] : [])))];
};

const columns = (): Column<QuarantineChange>[] => [
  ...columnsOfUris(['upload_name']),
  {
    id: 'change',
    name: i18n.t('Change'),
    width: 210,
    value: ({ isQuarantined }) => (isQuarantined ? 'quarantined' : 'released'),
    cell: ({ isQuarantined }) =>
      isQuarantined ? (
        <StateMark words={i18n.t('Quarantined')} tone="warning" icon={IconShieldX} />
      ) : (
        <StateMark words={i18n.t('Removed from quarantine')} tone="success" icon={IconShieldCheck} />
      ),
  },
  {
    id: 'quarantined_by',
    name: i18n.t('Current status'),
    width: 200,
    value: null,
    cell: ({ uri }) => (
      <MediaDetail uri={uri}>
        {(medium) =>
          medium.quarantined_by ? (
            <HazardText text={i18n.t('Quarantined by {by}', { by: inSentence(medium.quarantined_by) })} />
          ) : (
            <span className={cells.quiet}>{i18n.t('Not quarantined')}</span>
          )
        }
      </MediaDetail>
    ),
  },
  ...columnsOfUris(['user_id', 'media_length', 'origin', 'uri']),
];
