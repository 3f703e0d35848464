import { i18n } from '@lingui/core';
import { Kbd } from '@mantine/core';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
  type SpotlightStore,
  useSpotlight,
} from '@mantine/spotlight';
import { IconFlag, IconPhoto, IconSearch } from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { readLink } from '../../../shared/link.ts';
import { type Command, keyLabel } from '../../components/commands.ts';
import { parseMediaUri } from '../../components/pasted-id.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { serverName } from '../../transport/server-name.ts';
import { useSearchResults } from './palette-search.tsx';

/** The searchable text of an entry. */
type Searchable = {
  label?: string | undefined;
  description?: string | undefined;
  keywords?: string | string[] | undefined;
};

/**
 * Returns the matching entries, best first: exact label, its plural, start of a label, word in it, keyword, other text.
 */
export function rank<Entry extends Searchable>(query: string, entries: readonly Entry[]): Entry[] {
  const needle = fold(query);
  if (!needle) return [...entries];
  return entries
    .map((entry) => ({ entry, distance: distanceOf(entry, needle) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((one, other) => one.distance - other.distance)
    .map(({ entry }) => entry);
}

function distanceOf({ label = '', description = '', keywords = [] }: Searchable, needle: string): number {
  const inLabel = distanceIn(fold(label), needle);
  const keywordDistances = [description, keywords].flat().map((text) => distanceIn(fold(text), needle));
  // A keyword ranks below a word of the label, and above a part of a word.
  const elsewhere = 5 + Math.min(...keywordDistances) / 10;
  if (Math.min(inLabel, elsewhere) < Infinity) return Math.min(inLabel, elsewhere);
  const all = fold([label, description, keywords].flat().join(' '));
  return needle.split(' ').every((word) => distanceIn(all, word) < partOfWord) ? 10 : Infinity;
}

const partOfWord = 6;

/** Returns 0 for the same text, more for worse matches, and `Infinity` if the text doesn't contain it. */
function distanceIn(text: string, needle: string): number {
  if (text === needle) return 0;
  // A plural in most languages.
  if (text.startsWith(needle) && text.length <= needle.length + 2) return 0.5;
  let nearest = Infinity;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const startsWord = at === 0 || !isLetter.test(text[at - 1] ?? '');
    const endsWord = !isLetter.test(text[at + needle.length] ?? '');
    const distance = !startsWord ? partOfWord : (at === 0 ? 1 : 3) + (endsWord ? 0 : 1);
    nearest = Math.min(nearest, distance);
  }
  return nearest;
}

const isLetter = /[\p{L}\p{N}]/u;

const fold = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ');

/** Synonyms by command ID. */
const keywords: Readonly<Record<string, string>> = {
  '/home': /*i18n*/ 'dashboard, overview, statistics',
  '/reports': /*i18n*/ 'moderation, abuse, flags, queue',
  '/users': /*i18n*/ 'accounts, members, people, password, reset password, deactivate, suspend, ban, lock',
  '/rooms': /*i18n*/ 'channels, spaces, members, purge, delete, block',
  '/media': /*i18n*/ 'files, uploads, images, quarantine, mxc',
  '/tokens': /*i18n*/ 'registration tokens, invites',
  '/tasks': /*i18n*/ 'jobs, scheduled tasks, background updates',
  '/upgrade': /*i18n*/ 'update, version, rollback, Synapse',
  '/federation': /*i18n*/ 'destinations, remote servers, retry',
  '/local-server': /*i18n*/ 'backup, restore, reset server, configuration, homeserver.yaml',
  '/settings': /*i18n*/ 'preferences, language, notifications, templates, color scheme, theme',
  density: /*i18n*/ 'row height, spacing, dense',
  undo: /*i18n*/ 'revert, restore',
  keys: /*i18n*/ 'keyboard shortcuts, help',
  'act deactivate-user': /*i18n*/ 'delete account, remove user, disable, close account',
  'act reactivate-user': /*i18n*/ 'enable, restore account, activate',
  'act erase-user': /*i18n*/ 'delete account, remove user, GDPR, forget',
  'act suspend-user': /*i18n*/ 'ban, mute, disable, restrict',
  'act unsuspend-user': /*i18n*/ 'unban, unmute, enable, restore',
  'act lock-user': /*i18n*/ 'disable, ban, lock out, block account',
  'act unlock-user': /*i18n*/ 'enable, unban, restore',
  'act shadow-ban-user': /*i18n*/ 'mute, hide',
  'act take-down-user': /*i18n*/ 'ban, spam, delete, remove, purge',
  'act reset-password': /*i18n*/ 'change password, forgot password, new password',
  'act end-sessions': /*i18n*/ 'sign out, log out, devices',
  'act log-in-as': /*i18n*/ 'impersonate, access token',
  'act make-administrator': /*i18n*/ 'promote, admin',
  'act revoke-administrator': /*i18n*/ 'demote, remove admin',
  'act edit-profile': /*i18n*/ 'rename, display name, avatar',
  'act override-rate-limit': /*i18n*/ 'throttle, messages per second',
  'act redact-event': /*i18n*/ 'delete message, remove message, erase',
  'act redact-user': /*i18n*/ 'delete messages, remove messages, purge',
  'act kick-member': /*i18n*/ 'remove from room',
  'act mute-member': /*i18n*/ 'silence, timeout, restrict',
  'act unmute-member': /*i18n*/ 'unsilence',
  'act ban-member': /*i18n*/ 'block, remove from room',
  'act unban-member': /*i18n*/ 'unban',
  'act block-room': /*i18n*/ 'ban room, disable, lock',
  'act shut-down-room': /*i18n*/ 'delete room, remove, close',
  'act purge-room': /*i18n*/ 'purge room, remove',
  'act purge-history': /*i18n*/ 'delete messages, retention, clean up',
  'act delete-media': /*i18n*/ 'remove, purge',
  'act delete-user-media': /*i18n*/ 'remove, purge',
  'act quarantine-media': /*i18n*/ 'block, hide',
  'act quarantine-user-media': /*i18n*/ 'block, hide',
  'act purge-media-copies': /*i18n*/ 'purge remote media cache, remove, clean up',
  'act reset-destination': /*i18n*/ 'retry, reset connection',
  'act delete-token': /*i18n*/ 'remove, disable',
};

export const keywordsOf = (commandId: string): string[] => {
  const words = keywords[commandId];
  return words === undefined ? [] : i18n.t(words).split(',');
};

/** Finds screens, actions on the selection, users and rooms by name, and reports, messages and media by ID. */
export function CommandPalette({ store, close }: { store: SpotlightStore; close: () => void }) {
  const { commands } = useConsole();
  const { opened } = useSpotlight(store);
  const [query, setQuery] = useState('');
  const { groups, isSearching } = useSearchResults(opened ? query : '');
  const idMatches = useIdMatches(query);
  const paletteCommands = () => (opened ? commands.all().filter((command) => !command.keyboardOnly) : []);
  // Commands may change while the palette is open.
  useStoreValue(commands, () =>
    paletteCommands()
      .map(({ id, label }) => `${id} ${label}`)
      .join('\n'),
  );
  useLayoutEffect(() => selectFirst(store));
  const { history } = useRouter();
  useEffect(() => history.subscribe(({ action }) => action.type !== 'REPLACE' && close()), [history, close]);
  return (
    <Spotlight
      store={store}
      actions={[...groupsOf(paletteCommands()), ...idMatches, ...groups]}
      query={query}
      onQueryChange={setQuery}
      filter={rankFilter}
      shortcut={null}
      // Otherwise the field moves as the results change.
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

const rankFilter: SpotlightFilterFunction = (query, data) => {
  const entries = data.flatMap((item) =>
    'actions' in item ? item.actions.map((action) => ({ ...action, group: item.group })) : [item],
  );
  return [...Map.groupBy(rank(query, entries), ({ group }) => group)].map(([group = '', actions]) => ({
    group,
    actions,
  }));
};

/** Selects the first entry for Enter. Mantine does so only while typing. */
function selectFirst(store: SpotlightStore) {
  const { listId, opened } = store.getState();
  const list = opened && document.getElementById(listId);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

function groupsOf(commands: Command[]): SpotlightActionGroupData[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, members]) => ({
    group,
    actions: members.map(({ id, label, icon, keys, run }) => ({
      id,
      label,
      keywords: keywordsOf(id),
      leftSection: icon,
      rightSection: keys?.[0] && <Kbd size="xs">{keyLabel(keys[0])}</Kbd>,
      // Runs after the palette has returned the focus.
      onClick: () => setTimeout(run, 0),
    })),
  }));
}

/** Returns the report with the typed number or desktop app link, or the media with the typed URL. */
function useIdMatches(query: string): SpotlightActionGroupData[] {
  const server = useServerIfAny();
  const navigate = useNavigate();
  if (!server) return [];
  const typed = query.trim();
  const open = (group: string, action: SpotlightActionData, run: () => void): SpotlightActionGroupData[] => [
    { group, actions: [{ ...action, keywords: [typed], onClick: () => setTimeout(run, 0) }] },
  ];

  const media = parseMediaUri(typed);
  if (media) {
    const { origin, mediaId } = media;
    return open(
      i18n.t('Media'),
      {
        id: `open ${origin}/${mediaId}`,
        label: `mxc://${origin}/${mediaId}`,
        leftSection: <IconPhoto size={17} stroke={1.6} />,
      },
      () =>
        navigate({
          to: '/media/uploads/$origin/$mediaId',
          params: media,
        }),
    );
  }

  const link = readLink(typed);
  const isThisServer = link?.server === serverName(server.connection).toLowerCase();
  const number = reportNumber(typed, i18n.t('Report {id}', { id: '' }));
  const id = isThisServer && link.shown.kind === 'report' ? link.shown.id : number;
  if (id === undefined) return [];
  return open(
    i18n.t('Reports'),
    {
      id: `report ${id}`,
      label: i18n.t('Report {id}', { id }),
      leftSection: <IconFlag size={17} stroke={1.6} />,
    },
    () => navigate({ to: '/reports', search: { report: id } }),
  );
}

/** Reads `12`, `#12` or `report 12`, the word also in the console's language. */
function reportNumber(typed: string, localWord: string): number | undefined {
  const [, word, number] = /^(?:(\p{L}+)\s*)?#?([1-9]\d{0,14})$/u.exec(typed) ?? [];
  const words = ['report', localWord.trim().toLowerCase()];
  return number && (!word || words.includes(word.toLowerCase())) ? Number(number) : undefined;
}
