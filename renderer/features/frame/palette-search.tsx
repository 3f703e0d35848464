import { i18n } from '@lingui/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { IconAlertTriangle, IconFlag, IconMessage, IconMessages, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { storedEvent } from '../../api/event-context.ts';
import { isExpected } from '../../api/lenient.ts';
import { roomList, roomOfAlias } from '../../api/room-list.ts';
import { userList } from '../../api/user-list.ts';
import { eventIdOfLink, parsePastedId } from '../../components/pasted-id.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useServerIfAny } from '../../console-context.ts';
import { failureSentence, NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';

const debounceMs = 250;
const maxPerList = 5;
/** Shorter text matches nearly every name. */
const minLength = 3;

type NamedEntry = { id: string; name: string };
/** `failed` has the errors of searches that failed. */
type SearchResults = {
  users: NamedEntry[];
  rooms: NamedEntry[];
  event?: { id: string; roomId: string } | undefined;
  failed: { users?: Error; rooms?: Error; event?: Error };
};

/**
 * Finds users and rooms by part of a name, ID, alias or email, a message by its event ID, and the reports on a user or
 * room whose ID is typed in full.
 */
export function useSearchResults(query: string): {
  groups: SpotlightActionGroupData[];
  isSearching: boolean;
} {
  const server = useServerIfAny();
  const navigate = useNavigate();
  const typed = query.trim();
  const target = eventIdOfLink(typed) ?? parsePastedId(typed);
  const [debounced] = useDebouncedValue(target, debounceMs);
  const isSearchable = server !== undefined && target.length >= minLength;
  const { data, isPending } = useQuery({
    queryKey: [server?.id, 'palette search', debounced],
    queryFn: ({ signal }) => searchServer(server as Server, debounced, signal),
    enabled: isSearchable && debounced === target,
    retry: false,
    staleTime: 10_000,
  });
  if (!isSearchable || debounced !== target || !data) {
    return { groups: [], isSearching: isSearchable && (debounced !== target || isPending) };
  }

  const entry = ({ id, name }: NamedEntry, open: () => void): SpotlightActionData => ({
    id: `open ${id}`,
    label: inSentence(name),
    ...(name !== id && { description: inSentence(id) }),
    // Matches the palette's filter: the server has searched already.
    keywords: [typed],
    onClick: () => setTimeout(open, 0),
  });
  const person = /^@[^\s:]+:\S+$/.test(target) ? target : undefined;
  const room = target.startsWith('!') ? target : target.startsWith('#') ? data.rooms[0]?.id : undefined;
  const reports = (label: string, filter: { sender?: string; reporter?: string; room?: string }) => ({
    id: `reports ${JSON.stringify(filter)}`,
    label,
    keywords: [typed],
    leftSection: <IconFlag size={17} stroke={1.6} />,
    onClick: () => setTimeout(() => navigate({ to: '/reports', search: filter }), 0),
  });
  const failure = (label: string, error: Error | undefined, open: () => void): SpotlightActionData[] =>
    error
      ? [
          {
            ...entry({ id: label, name: label }, open),
            description: failureSentence(error),
            leftSection: <IconAlertTriangle size={17} stroke={1.6} />,
          },
        ]
      : [];
  const { users: userFailure, rooms: roomFailure, event: eventFailure } = data.failed;
  const { event } = data;
  const groups = [
    {
      group: i18n.t('Messages'),
      actions: event
        ? [
            {
              ...entry({ id: event.id, name: event.id }, () =>
                navigate({
                  to: '/rooms/$roomId',
                  params: { roomId: event.roomId },
                  search: { part: 'messages', event: event.id },
                }),
              ),
              leftSection: <IconMessage size={17} stroke={1.6} />,
            },
          ]
        : failure(
            eventFailure instanceof NoSuchEndpoint
              ? i18n.t("This server doesn't support finding events by ID")
              : i18n.t("Couldn't search events"),
            eventFailure,
            () => navigate({ to: '/reports' }),
          ),
    },
    {
      group: i18n.t('Users'),
      actions: [
        ...failure(i18n.t("Couldn't search users"), userFailure, () => navigate({ to: '/users' })),
        ...data.users.map((user) => ({
          ...entry(user, () => navigate({ to: '/users/$userId', params: { userId: user.id } })),
          leftSection: <IconUser size={17} stroke={1.6} />,
        })),
      ],
    },
    {
      group: i18n.t('Rooms'),
      actions: [
        ...failure(i18n.t("Couldn't search rooms"), roomFailure, () => navigate({ to: '/rooms' })),
        ...data.rooms.map((room) => ({
          ...entry(room, () => navigate({ to: '/rooms/$roomId', params: { roomId: room.id } })),
          leftSection: <IconMessages size={17} stroke={1.6} />,
        })),
      ],
    },
    {
      group: i18n.t('Reports'),
      actions: [
        ...(person
          ? [
              reports(i18n.t('Reports against this user'), { sender: person }),
              reports(i18n.t('Reports by this user'), { reporter: person }),
            ]
          : []),
        ...(room ? [reports(i18n.t('Reports from this room'), { room })] : []),
      ],
    },
  ];
  return { groups: groups.filter(({ actions }) => actions.length > 0), isSearching: false };
}

/** Searches users and rooms, or an event by ID. One of them may fail. */
async function searchServer(server: Server, search: string, signal: AbortSignal): Promise<SearchResults> {
  if (search.startsWith('$')) {
    try {
      const { room_id: roomId } = await storedEvent(server, search, signal);
      const event = typeof roomId === 'string' ? { id: search, roomId } : undefined;
      return { users: [], rooms: [], event, failed: {} };
    } catch (error) {
      return { users: [], rooms: [], failed: error instanceof NotFound ? {} : { event: error as Error } };
    }
  }
  const users = userList(server, { search, deactivated: true, locked: true, order: 'name', dir: 'f' });
  const rooms = roomList(server, { search, order: 'name', dir: 'f' });
  const [userPage, roomPage] = await Promise.allSettled([
    /^[!#]/.test(search) ? undefined : users.fetch(0, maxPerList, signal),
    search.startsWith('@') ? undefined : rooms.fetch(0, maxPerList, signal),
  ]);
  return {
    failed: {
      ...(userPage.status === 'rejected' && { users: userPage.reason }),
      ...(roomPage.status === 'rejected' && { rooms: roomPage.reason }),
    },
    users: (userPage.status === 'fulfilled' ? (userPage.value?.rows ?? []) : [])
      .filter(isExpected)
      .map((user) => ({
        id: user.name,
        name: user.displayname || user.name,
      })),
    rooms: await withTypedRoom(
      server,
      search,
      (roomPage.status === 'fulfilled' ? (roomPage.value?.rows ?? []) : [])
        .filter(isExpected)
        .map((room) => ({
          id: room.room_id,
          name: room.name || room.canonical_alias || room.room_id,
        })),
      signal,
    ),
  };
}

/** Adds a room that's typed in full: an unknown room can be blocked. */
async function withTypedRoom(server: Server, typed: string, rooms: NamedEntry[], signal: AbortSignal) {
  const isAlias = /^#[^\s:]+:\S+$/.test(typed);
  if (!isAlias && !/^![^\s]{10,}$/.test(typed)) return rooms;
  const id = isAlias ? await roomOfAlias(server, typed, signal).catch(() => undefined) : typed;
  return !id || rooms.some((room) => room.id === id) ? rooms : [...rooms, { id, name: typed }];
}
