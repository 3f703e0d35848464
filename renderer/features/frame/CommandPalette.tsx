import { i18n } from '@lingui/core';
import { Kbd } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Command } from '../../components/commands.ts';
import { keyLabel } from '../../components/key-label.ts';
import { useConsole } from '../../console-context.ts';
import { useFoundByName } from './found-by-name.tsx';
import { paletteStore } from './palette.ts';
import { useReportByNumber } from './report-by-number.tsx';

/** Every screen, every action on the selection, every user and room of the server by name, and every report by its number. */
export default function CommandPalette() {
  const { commands } = useConsole();
  const { opened } = useSpotlight(paletteStore);
  const [query, setQuery] = useState('');
  const { groups, isSearching } = useFoundByName(opened ? query : '');
  const numbered = useReportByNumber(query);
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
      actions={[...grouped(inPalette()), ...numbered, ...groups]}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound={
        isSearching
          ? i18n.t('Searching users and rooms…')
          : i18n.t('No screen, action, user or room has that in its name')
      }
      highlightQuery
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': i18n.t('Command palette') } }}
      searchProps={{
        leftSection: <IconSearch size={16} stroke={1.6} />,
        placeholder: i18n.t('Go to a screen, a user or a room, or do something…'),
        'aria-label': i18n.t('Search screens and actions'),
      }}
    />
  );
}

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
      leftSection: icon,
      rightSection: keys?.[0] && <Kbd size="xs">{keyLabel(keys[0])}</Kbd>,
      // The palette gives the focus back as it closes; a command that moves the focus must come after.
      onClick: () => setTimeout(run, 0),
    })),
  }));
}
