import { i18n } from '@lingui/core';
import { Button, Kbd, Menu, Popover, type PopoverProps } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { membershipQuery } from '../api/memberships.ts';
import { offeredQuery } from '../api/offered.ts';
import { roomBlockQuery, roomQuery } from '../api/room.ts';
import { anyQuarantinedQuery, userQuery } from '../api/user.ts';
import { characterKeys } from '../components/character-keys.ts';
import type { Command } from '../components/commands.ts';
import { KeysAreElsewhere } from '../components/page-selection.ts';
import { useCommands, useConsole, useServer } from '../console-context.ts';
import { number } from '../words/format.ts';
import classes from './ActionBar.module.css';
import type { ActionPanel } from './ActionPanel.tsx';
import type { ActionBarProps } from './action-bar-props.ts';
import { groupName, say, usersIn } from './action-words.ts';
import { type Choice, choicesOf, isLocal, mostButtons, takesOver, usualOf } from './choices.ts';
import { type ActedOn, type Item, itemsOf } from './subject.ts';

const menu = 'menu';

/** As high as there is room for, on the side where there is more of it. */
const fitting: PopoverProps['middlewares'] = {
  flip: true,
  shift: true,
  size: {
    padding: 8,
    apply({ availableHeight, elements }) {
      elements.floating.style.setProperty('--gh-room', `${Math.floor(availableHeight)}px`);
    },
  },
};

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function LoadedActionBar({
  on,
  only,
  known,
  onActed,
  quiet: isQuiet = false,
  Panel,
}: ActionBarProps & { Panel: typeof ActionPanel }) {
  const areKeysElsewhere = useContext(KeysAreElsewhere);
  const quiet = isQuiet || areKeysElsewhere;
  const [menuOpened, setMenuOpened] = useState(false);
  const [open, setOpen] = useState<{ choice: Choice; at: string; among: Choice[] }>();
  const focusedBefore = useRef<Element>(null);
  const { choices: current, error, refetch } = useChoices({ on, only, known }, menuOpened);
  // What was done can take its own button away: the panel, and what it shows once, stays with it till it is closed.
  const choices = open?.among ?? current;
  // Where a screen asks for a few alone, each has its button.
  const usual = only && choices.length <= mostButtons ? choices : usualOf(choices);
  const isAmongMany = usual.some(({ items }) => items.length > 1);
  const hasEvent = (on.events?.length ?? 0) > 0;

  function ask(choice: Choice, from = document.activeElement) {
    focusedBefore.current = from;
    setOpen({ choice, at: usual.includes(choice) ? choice.action.id : menu, among: choices });
  }

  function close({ acted, reviewed }: { acted: boolean; reviewed: boolean }) {
    setOpen(undefined);
    // A screen that goes on by itself says where the focus goes.
    if (acted && onActed) onActed({ reviewed });
    else if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  }

  useBarCommands(quiet ? [] : choices, hasEvent, ask, () => setMenuOpened(true));

  const anchored = (at: string, target: ReactNode) => (
    <Popover
      opened={open?.at === at}
      onDismiss={() => close({ acted: false, reviewed: false })}
      // What is shown once isn't to be lost by a click that went wrong.
      closeOnClickOutside={!open?.choice.action.shownOnce}
      position="bottom-start"
      middlewares={fitting}
      width="min(25rem, calc(100vw - 2rem))"
      shadow="md"
      trapFocus
      // The panel knows what Escape closes: its templates first.
      closeOnEscape={false}
      withRoles={false}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={open?.at === at ? say(open.choice.action, 'label', open.choice.items) : undefined}
        className={classes.panel}
      >
        {open?.at === at && <Panel key={open.choice.action.id} choice={open.choice} onClose={close} />}
      </Popover.Dropdown>
    </Popover>
  );

  if (error) {
    return (
      <div className={classes.bar} role="alert">
        <span className={classes.note}>{i18n.t('It is not known what this server lets you do.')}</span>
        <Button variant="default" onClick={refetch}>
          {i18n.t('Ask again')}
        </Button>
      </div>
    );
  }
  return (
    <div className={classes.frame}>
      <div
        className={classes.bar}
        role="toolbar"
        aria-label={i18n.t('Actions')}
        data-many={isAmongMany || undefined}
      >
        {usual.map((choice) => (
          <Fragment key={choice.action.id}>
            {anchored(
              choice.action.id,
              <ActionButton
                choice={choice}
                isAmongMany={isAmongMany}
                opened={open?.at === choice.action.id}
                withKey={!quiet && characterKeys().read()}
                onClick={() => ask(choice)}
              />,
            )}
          </Fragment>
        ))}
        {choices.length > usual.length &&
          anchored(
            menu,
            <span>
              <ActionMenu
                choices={choices}
                hasEvent={hasEvent}
                withKey={!quiet && characterKeys().read()}
                opened={menuOpened}
                onChange={setMenuOpened}
                onChoose={ask}
              />
            </span>,
          )}
      </div>
    </div>
  );
}

/** The one user and the one room, where it is about one. */
function onlyOnes(on: ActedOn) {
  const users = new Set(
    [...itemsOf(on, 'user'), ...itemsOf(on, 'member')].map((item) => 'userId' in item && item.userId),
  );
  const [userId] = users.size === 1 ? users : [];
  const rooms = itemsOf(on, 'room');
  const roomId = rooms.length === 1 && rooms[0]?.kind === 'room' ? rooms[0].roomId : undefined;
  return { userId, roomId, onlyRoom: users.size === 0 && itemsOf(on, 'event').length === 0 };
}

/** What there is to choose from, as far as it is known what this server offers and how things are. */
function useChoices(
  { on, only, known: given }: Pick<ActionBarProps, 'on' | 'only' | 'known'>,
  menuOpened: boolean,
) {
  const server = useServer();
  const isApp = useConsole().host.shell !== undefined;
  const offered = useQuery(offeredQuery(server));
  const { userId, roomId, onlyRoom } = useMemo(() => onlyOnes(on), [on]);

  const user = useQuery({
    ...userQuery(server, userId || ''),
    enabled: Boolean(userId) && isLocal(server, userId || ''),
  });
  const block = useQuery({
    ...roomBlockQuery(server, roomId ?? ''),
    enabled: roomId !== undefined && (menuOpened || onlyRoom) && offered.data?.has('block') === true,
  });

  const members = useMemo(() => itemsOf(on, 'member'), [on]);
  const member = members.length === 1 && members[0]?.kind === 'member' ? members[0] : undefined;
  const membership = useQuery({
    ...membershipQuery(server, member ?? { roomId: '', userId: '' }),
    enabled: member !== undefined && menuOpened && offered.data?.has('unban') === true,
  });
  const quarantined = useQuery({
    ...anyQuarantinedQuery(server, userId || ''),
    enabled:
      Boolean(userId) &&
      menuOpened &&
      isLocal(server, userId || '') &&
      offered.data?.has('userMedia') === true &&
      offered.data.has('unquarantine'),
  });

  const room = useQuery({ ...roomQuery(server, roomId ?? ''), enabled: roomId !== undefined && onlyRoom });

  const known = useMemo(
    () => ({
      user: userId ? user.data : undefined,
      room: room.data,
      blocked: block.data?.block,
      membership: membership.data ?? undefined,
      quarantined: quarantined.data,
      own: userId === server.connection.userId,
      ...given,
    }),
    [server, userId, user.data, room.data, block.data, membership.data, quarantined.data, given],
  );
  const choices = useMemo(
    () =>
      (offered.data ? choicesOf(server, on, offered.data, known) : []).filter(
        (choice) => (!only || only.includes(choice.action.id)) && !(isApp && takesOver(server, choice)),
      ),
    [server, on, offered.data, known, only, isApp],
  );
  return { choices, error: offered.data ? null : offered.error, refetch: () => void offered.refetch() };
}

function useBarCommands(
  choices: readonly Choice[],
  hasEvent: boolean,
  ask: (choice: Choice) => void,
  openMenu: () => void,
) {
  const keys = new Set<string>();
  const acting = choices.map((choice): Command => {
    const { id, group, icon: Icon, key } = choice.action;
    const isFirst = key !== undefined && !keys.has(key);
    if (isFirst) keys.add(key);
    return {
      id: `act ${id}`,
      label: say(choice.action, 'label', choice.items),
      group: groupName(group, hasEvent),
      icon: <Icon size={17} stroke={1.6} />,
      ...(isFirst && { keys: [key] }),
      run: () => ask(choice),
    };
  });
  const more: Command = {
    id: 'act more',
    label: i18n.t('All actions'),
    group: i18n.t('Acting'),
    keys: ['m'],
    run: openMenu,
  };
  useCommands(choices.length > 0 ? [...acting, more] : []);
}

type ButtonProps = {
  choice: Choice;
  /** Another button is for more than one: each then says for how many. */
  isAmongMany: boolean;
  opened: boolean;
  withKey: boolean;
  onClick: () => void;
  ref?: React.Ref<HTMLButtonElement>;
};

function ActionButton({ choice: { action, items }, isAmongMany, opened, withKey, ...props }: ButtonProps) {
  const Icon = action.icon;
  return (
    <Button
      {...props}
      variant="default"
      aria-haspopup="dialog"
      aria-expanded={opened}
      {...(withKey && action.key && { 'aria-keyshortcuts': action.key })}
      title={[say(action, 'label', items), withKey && action.key].filter(Boolean).join(' · ')}
      classNames={{ root: classes.button, section: classes.sign }}
      leftSection={<Icon size={14} stroke={1.7} aria-hidden />}
      rightSection={
        withKey &&
        action.key && (
          <Kbd size="xs" className={classes.key} aria-hidden>
            {action.key}
          </Kbd>
        )
      }
    >
      <span className={classes.words}>{say(action, 'label', items)}</span>
      {isAmongMany && (
        <span className={classes.howMany} aria-hidden>
          {number(countIn(items))}
        </span>
      )}
    </Button>
  );
}

/** Users where there is more than one, else rooms. */
const countIn = (items: readonly Item[]) => (usersIn(items) > 1 ? usersIn(items) : items.length);

type MenuProps = {
  choices: readonly Choice[];
  hasEvent: boolean;
  withKey: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
  onChoose: (choice: Choice, from: Element | null) => void;
};

function ActionMenu({ choices, hasEvent, withKey, opened, onChange, onChoose }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const groups = [...Map.groupBy(choices, ({ action }) => action.group)];
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-start"
      middlewares={fitting}
      width="min(32rem, calc(100vw - 2rem))"
    >
      <Menu.Target>
        <Button
          ref={button}
          variant="default"
          {...(withKey && { 'aria-keyshortcuts': 'm' })}
          rightSection={
            <>
              {withKey && (
                <Kbd size="xs" className={classes.key} aria-hidden>
                  m
                </Kbd>
              )}
              <IconChevronDown size={13} aria-hidden className={classes.chevron} />
            </>
          }
        >
          {i18n.t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {groups.map(([group, members]) => (
          <Fragment key={group}>
            <Menu.Label>{groupName(group, hasEvent)}</Menu.Label>
            {members.map((choice) => {
              const { id, icon: Icon, destructive, key } = choice.action;
              return (
                <Menu.Item
                  key={id}
                  leftSection={<Icon size={15} stroke={1.6} />}
                  rightSection={
                    withKey &&
                    key && (
                      <Kbd size="xs" aria-hidden>
                        {key}
                      </Kbd>
                    )
                  }
                  data-destructive={destructive}
                  className={classes.item}
                  onClick={() => onChoose(choice, button.current)}
                >
                  <span className={classes.label}>{say(choice.action, 'label', choice.items)}</span>{' '}
                  <span className={classes.hint}>{say(choice.action, 'hint', choice.items)}</span>
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
