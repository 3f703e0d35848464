import { i18n } from '@lingui/core';
import { Kbd } from '@mantine/core';
import {
  Spotlight,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
  useSpotlight,
} from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Command } from '../../components/commands.ts';
import { keyLabel } from '../../components/key-label.ts';
import { useConsole } from '../../console-context.ts';
import { useFoundById } from './found-by-id.tsx';
import { useFoundByName } from './found-by-name.tsx';
import { paletteStore } from './palette.ts';
import { keywordsOf } from './palette-keywords.ts';
import { rank } from './palette-ranking.ts';

/** Finds screens, actions on the selection, users and rooms by name, and reports, messages and media by ID. */
export function CommandPalette() {
  const { commands } = useConsole();
  const { opened } = useSpotlight(paletteStore);
  const [query, setQuery] = useState('');
  const { groups, isSearching } = useFoundByName(opened ? query : '');
  const known = useFoundById(query);
  const inPalette = () => (opened ? commands.all().filter((command) => !command.keyboardOnly) : []);
  // What a server offers may become known while the palette is open.
  useSyncExternalStore(commands.subscribe, () =>
    inPalette()
      .map(({ id, label }) => `${id} ${label}`)
      .join('\n'),
  );
  useLayoutEffect(selectFirst);
  return (
    <Spotlight
      store={paletteStore}
      actions={[...grouped(inPalette()), ...known, ...groups]}
      query={query}
      onQueryChange={setQuery}
      filter={ranked}
      shortcut={null}
      // The field stays in its place while the results change.
      centered={false}
      nothingFound={isSearching ? i18n.t('Searching users and rooms…') : i18n.t('No results')}
      highlightQuery
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      transitionProps={{ duration: 0 }}
      scrollable
      scrollAreaProps={{ scrollbars: 'y' }}
      maxHeight={420}
      attributes={{ content: { 'aria-label': i18n.t('Command palette') } }}
      searchProps={{
        leftSection: <IconSearch size={16} stroke={1.6} />,
        placeholder: i18n.t('Search screens, actions, users, rooms, events, reports and media'),
        'aria-label': i18n.t('Search screens and actions'),
      }}
    />
  );
}

const ranked: SpotlightFilterFunction = (query, data) => {
  const entries = data.flatMap((item) =>
    'actions' in item ? item.actions.map((action) => ({ ...action, group: item.group })) : [item],
  );
  return [...Map.groupBy(rank(query, entries), ({ group }) => group)].map(([group = '', actions]) => ({
    group,
    actions,
  }));
};

/** Enter opens the first that is there; the palette itself sees to that only as one types. */
function selectFirst() {
  const { listId, opened } = paletteStore.getState();
  const list = opened && document.getElementById(listId);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}

function grouped(commands: Command[]): SpotlightActionGroupData[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, members]) => ({
    group,
    actions: members.map(({ id, label, icon, keys, run }) => ({
      id,
      label,
      keywords: keywordsOf(id),
      leftSection: icon,
      rightSection: keys?.[0] && <Kbd size="xs">{keyLabel(keys[0])}</Kbd>,
      // The palette gives the focus back as it closes; a command that moves the focus must come after.
      onClick: () => setTimeout(run, 0),
    })),
  }));
}
