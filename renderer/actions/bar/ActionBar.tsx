import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { useContext, useEffect, useRef, useState } from 'react';
import { PopoverAnchor } from '../../components/ButtonMenu.tsx';
import type { Command } from '../../components/commands.ts';
import { showNotice } from '../../components/notice.tsx';
import { KeysAreElsewhere } from '../../components/table/selection.ts';
import { useCommands, useConsole } from '../../console-context.ts';
import { groupName, say } from '../action-words.ts';
import { ActionPanel } from '../panel/ActionPanel.tsx';
import classes from './ActionBar.module.css';
import { ActionButton } from './ActionButton.tsx';
import { ActionMenu, fitting } from './ActionMenu.tsx';
import { type ActionBarProps, type Choice, isSoByNow, mostButtons, useChoices, usualOf } from './choices.ts';
import { useAwaitedAction } from './use-awaited-action.ts';

const menu = 'menu';

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function ActionBar({
  on,
  isComing = false,
  only,
  known,
  onActed,
  quiet: isQuiet = false,
}: ActionBarProps) {
  const areKeysElsewhere = useContext(KeysAreElsewhere);
  const quiet = isQuiet || areKeysElsewhere;
  const [menuOpened, setMenuOpened] = useState(false);
  const [open, setOpen] = useState<{ choice: Choice; at: string; among: Choice[] }>();
  const focusedBefore = useRef<Element>(null);
  /** What panels open at. */
  const standing = useRef(new Map<string, HTMLElement>());
  const { commands } = useConsole();
  const stands = (at: string) => (element: HTMLElement | null) => {
    if (element) standing.current.set(at, element);
    else standing.current.delete(at);
  };
  const {
    choices: current,
    unsure,
    isOffered,
    error,
    refetch,
  } = useChoices({ on, isComing, only, known }, menuOpened, open !== undefined);
  const isKnown = isOffered && !isComing;
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

  const { awaited, wait } = useAwaitedAction(
    isKnown ? 'known' : error ? 'failed' : 'awaited',
    (key: string) => {
      if (key === menuKey) return setMenuOpened(true);
      const choice = choices.find(({ action }) => action.key === key);
      if (choice) return ask(choice);
      showNotice({
        text: i18n.t("“{action}” isn't available here", { action: awaited?.label }),
      });
    },
    undefined,
    () => sayUnsure(awaited?.label ?? ''),
  );
  const hideUnsure = useRef<() => void>(undefined);
  function sayUnsure(label: string) {
    hideUnsure.current?.();
    hideUnsure.current = showNotice({
      text: i18n.t("Couldn't check server support: {action}", { action: label }),
    });
    refetch();
  }
  const openMenu = () => setMenuOpened(true);
  const waitFor = ({ action, items }: Choice) => wait(action.key ?? '', say(action, 'label', items));
  const waitForMenu = () => wait(menuKey, i18n.t('All actions'));
  useBarCommands(
    quiet || error ? [] : choices,
    hasEvent,
    isKnown,
    isKnown ? ask : waitFor,
    isKnown ? openMenu : waitForMenu,
    quiet || isComing ? [] : unsure,
    sayUnsure,
  );

  if (error) {
    return (
      <div className={classes.bar} role="alert">
        <span className={classes.note}>{i18n.t("Couldn't load permissions")}</span>
        <Button variant="default" onClick={refetch}>
          {i18n.t('Retry')}
        </Button>
      </div>
    );
  }
  const isInPart = isKnown && !isQuiet && unsure.length > 0;
  if (!isKnown) return <AwaitedOffers awaited={awaited?.label} isComing={isComing} />;
  return (
    <div className={classes.frame}>
      <div
        className={classes.bar}
        role="toolbar"
        aria-label={i18n.t('Actions')}
        data-many={isAmongMany || undefined}
      >
        {usual.map((choice) => (
          <ActionButton
            key={choice.action.id}
            ref={stands(choice.action.id)}
            choice={choice}
            opened={open?.at === choice.action.id}
            withKey={!quiet && commands.characterKeys.read()}
            onClick={() => ask(choice)}
          />
        ))}
        {choices.length > usual.length && (
          <span ref={stands(menu)}>
            <ActionMenu
              choices={choices}
              hasEvent={hasEvent}
              withKey={!quiet && commands.characterKeys.read()}
              opened={menuOpened}
              onChange={setMenuOpened}
              onChoose={ask}
            />
          </span>
        )}
      </div>
      {isInPart && (
        <div className={classes.unsure} role="alert">
          <span className={classes.note}>{i18n.t("Couldn't check server support for some actions")}</span>
          <Button variant="default" onClick={refetch}>
            {i18n.t('Retry')}
          </Button>
        </div>
      )}
      {open && (
        <Popover
          key={open.at}
          opened
          onDismiss={() => close({ acted: false, reviewed: false })}
          // What is shown once isn't to be lost by a click that went wrong.
          closeOnClickOutside={!open.choice.action.shownOnce}
          position="bottom-start"
          middlewares={fitting}
          width={`min(${open.choice.action.steps ? 30 : 25}rem, calc(100vw - 2rem))`}
          shadow="md"
          trapFocus
          // The panel knows what Escape closes: its templates first.
          closeOnEscape={false}
          withRoles={false}
        >
          <Popover.Target>
            <PopoverAnchor element={() => standing.current.get(open.at) ?? null} />
          </Popover.Target>
          <Popover.Dropdown
            role="dialog"
            aria-label={say(open.choice.action, 'label', open.choice.items)}
            className={classes.panel}
          >
            <ActionPanel
              key={open.choice.action.id}
              choice={open.choice}
              isSoByNow={isSoByNow(open.choice, on, current)}
              onClose={close}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
}

/** What is known sooner needs no words. */
const patience = 700;

type Props = {
  /** What was asked for by its key meanwhile. */
  awaited: string | undefined;
  /** The report is on its way, and says so itself. */
  isComing: boolean;
};

/** In place of the actions, while it isn't known what the server lets one do, or to what. */
function AwaitedOffers({ awaited: action, isComing }: Props) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, []);
  function words() {
    if (action === undefined) return !isComing && isLong && i18n.t('Loading permissions…');
    return isComing
      ? i18n.t('“{action}” starts once the report has loaded', { action })
      : i18n.t('“{action}” starts once your permissions have loaded', { action });
  }
  return (
    <div className={classes.frame}>
      <div className={classes.bar} role="status">
        <span className={classes.note}>{words()}</span>
      </div>
    </div>
  );
}

/** Opens the menu of them all. */
const menuKey = 'm';

/**
 * The keys of a bar's actions, and their places in the palette.
 *
 * @param isKnown whether there are these: what there may be is in no palette
 * @param unsure those of which it could not be found out whether they are there: `sayUnsure` says so
 */
function useBarCommands(
  choices: readonly Choice[],
  hasEvent: boolean,
  isKnown: boolean,
  ask: (choice: Choice) => void,
  openMenu: () => void,
  unsure: readonly Choice[],
  sayUnsure: (label: string) => void,
) {
  const keys = new Set<string>();
  const acting = [...choices, ...unsure].map((choice, place): Command => {
    const { id, group, icon: Icon, key } = choice.action;
    const isFirst = key !== undefined && !keys.has(key);
    if (isFirst) keys.add(key);
    const label = say(choice.action, 'label', choice.items);
    const isSure = place < choices.length;
    return {
      id: `act ${id}`,
      label,
      group: groupName(group, hasEvent),
      icon: <Icon size={17} stroke={1.6} />,
      ...(isFirst && { keys: [key] }),
      keyboardOnly: isSure && !isKnown,
      actsOnOpenItem: true,
      run: () => (isSure ? ask(choice) : sayUnsure(label)),
    };
  });
  const more: Command = {
    id: 'act more',
    label: i18n.t('All actions'),
    group: i18n.t('Actions'),
    keys: [menuKey],
    keyboardOnly: !isKnown,
    actsOnOpenItem: true,
    run: () => (choices.length > 0 ? openMenu() : sayUnsure(i18n.t('All actions'))),
  };
  useCommands(acting.length > 0 ? [...acting, more] : []);
}
