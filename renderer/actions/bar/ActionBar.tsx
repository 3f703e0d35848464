import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { IconBasket } from '@tabler/icons-react';
import { useContext, useEffect, useRef, useState } from 'react';
import { PopoverAnchor } from '../../components/ButtonMenu.tsx';
import type { Command } from '../../components/commands.ts';
import { noticesOf } from '../../components/notices.ts';
import { KeysAreElsewhere } from '../../components/table/selection.ts';
import { useCommands, useConsole, useServer } from '../../console-context.ts';
import { actionText, groupName } from '../action-words.ts';
import { type BasketEntry, useBasketEntries } from '../basket/use-basket.ts';
import { useActionPanel } from '../panel/use-action-panel.ts';
import classes from './ActionBar.module.css';
import { ActionButton } from './ActionButton.tsx';
import { ActionMenu, basketKey, fitToWindow } from './ActionMenu.tsx';
import {
  type ActionBarProps,
  buttonsOf,
  type Choice,
  isObsolete,
  maxButtons,
  preferred,
  useChoices,
} from './choices.ts';
import { useDeferredAction } from './use-deferred-action.ts';

const menu = 'menu';

/** Actions on one or many items: the most common as buttons, all in a menu. */
export function ActionBar({
  on,
  isLoading = false,
  buttons,
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
  /** Elements that panels are anchored to, by action ID. */
  const anchors = useRef(new Map<string, HTMLElement>());
  const server = useServer();
  const { commands } = useConsole();
  const anchorRef = (at: string) => (element: HTMLElement | null) => {
    if (element) anchors.current.set(at, element);
    else anchors.current.delete(at);
  };
  const {
    choices: current,
    unsure,
    isOffered,
    error,
    refetch,
  } = useChoices({ on, isLoading, only, known }, menuOpened, open !== undefined);
  const isKnown = isOffered && !isLoading;
  // Kept while the panel is open: an action can remove its own button.
  const choices = open?.among ?? current;
  const ActionPanel = useActionPanel(open !== undefined);
  // With few requested actions, each has its button.
  const usual = buttons
    ? preferred(choices, buttons)
    : only && choices.length <= maxButtons
      ? choices
      : buttonsOf(choices);
  // A screen that requests only a few actions has no menu.
  const entries = useBasketEntries(only && choices.length <= usual.length ? noTargets : on);
  const isAmongMany = usual.some(({ items }) => items.length > 1);
  const hasEvent = (on.events?.length ?? 0) > 0;

  function ask(choice: Choice, from = document.activeElement) {
    focusedBefore.current = from;
    const { id } = choice.action;
    // A narrow screen can hide a button.
    const at = anchors.current.get(id)?.checkVisibility() ? id : menu;
    setOpen({ choice, at, among: choices });
  }

  function close({ acted, reviewed }: { acted: boolean; reviewed: boolean }) {
    setOpen(undefined);
    // The screen moves the focus.
    if (acted && onActed) onActed({ reviewed });
    else if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  }

  const { awaited, defer: wait } = useDeferredAction(
    isKnown ? 'known' : error ? 'failed' : 'awaited',
    (key: string) => {
      if (key === menuKey) return setMenuOpened(true);
      if (key === basketKey && entries[0]) return entries[0].toggle();
      const choice = choices.find(({ action }) => action.key === key);
      if (choice) return ask(choice);
      noticesOf(server).show({
        text: i18n.t("“{action}” isn't available here", { action: awaited?.label }),
      });
    },
    undefined,
    () => announcePending(awaited?.label ?? ''),
  );
  const hideUnsure = useRef<() => void>(undefined);
  function announcePending(label: string) {
    hideUnsure.current?.();
    hideUnsure.current = noticesOf(server).show({
      text: i18n.t("Couldn't check server support: {action}", { action: label }),
    });
    refetch();
  }
  const openMenu = () => setMenuOpened(true);
  const waitFor = ({ action, items }: Choice) => wait(action.key ?? '', actionText(action, 'label', items));
  const waiting = (entry: BasketEntry) => ({ ...entry, toggle: () => wait(basketKey, entry.label) });
  const waitForMenu = () => wait(menuKey, i18n.t('All actions'));
  useBarCommands(
    quiet || error ? [] : choices,
    quiet || error ? [] : entries.map((entry) => (isLoading ? waiting(entry) : entry)),
    hasEvent,
    isKnown,
    isKnown ? ask : waitFor,
    isKnown ? openMenu : waitForMenu,
    quiet || isLoading ? [] : unsure,
    announcePending,
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
  if (!isKnown) return <LoadingActions awaited={awaited?.label} isLoading={isLoading} />;
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
            ref={anchorRef(choice.action.id)}
            choice={choice}
            opened={open?.at === choice.action.id}
            withKey={!quiet && commands.characterKeys.read()}
            onClick={() => ask(choice)}
          />
        ))}
        {(choices.length > usual.length || entries.length > 0) && (
          <span ref={anchorRef(menu)}>
            <ActionMenu
              choices={choices}
              basket={entries}
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
      {open && ActionPanel && (
        <Popover
          key={open.at}
          opened
          onDismiss={() => close({ acted: false, reviewed: false })}
          // A secret is shown only once.
          closeOnClickOutside={!open.choice.action.shownOnce}
          position="bottom-start"
          middlewares={fitToWindow}
          width={`min(${open.choice.action.steps ? 30 : 25}rem, calc(100vw - 2rem))`}
          shadow="md"
          trapFocus
          // The panel handles Escape, which closes its template list first.
          closeOnEscape={false}
          withRoles={false}
        >
          <Popover.Target>
            <PopoverAnchor element={() => anchors.current.get(open.at) ?? null} />
          </Popover.Target>
          <Popover.Dropdown
            role="dialog"
            aria-label={actionText(open.choice.action, 'label', open.choice.items)}
            className={classes.panel}
          >
            <ActionPanel
              key={open.choice.action.id}
              choice={open.choice}
              isObsolete={isObsolete(open.choice, on, current)}
              onClose={close}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
}

const noticeDelayMs = 700;

type Props = {
  /** Label of the deferred action. */
  awaited: string | undefined;
  isLoading: boolean;
};

/** Placeholder while permissions or targets are loading. */
function LoadingActions({ awaited: action, isLoading }: Props) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), noticeDelayMs);
    return () => clearTimeout(timer);
  }, []);
  function words() {
    if (action === undefined) return !isLoading && isLong && i18n.t('Loading permissions…');
    return isLoading
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

const menuKey = 'm';
const noTargets: ActionBarProps['on'] = {};

/**
 * Registers shortcuts and palette commands.
 *
 * @param isKnown until then, only shortcuts
 * @param unsure actions whose endpoints couldn't be probed; using one calls `announcePending`
 */
function useBarCommands(
  choices: readonly Choice[],
  basket: readonly BasketEntry[],
  hasEvent: boolean,
  isKnown: boolean,
  ask: (choice: Choice) => void,
  openMenu: () => void,
  unsure: readonly Choice[],
  announcePending: (label: string) => void,
) {
  const keys = new Set<string>();
  const acting = [...choices, ...unsure].map((choice, place): Command => {
    const { id, group, icon: Icon, key } = choice.action;
    const isFirst = key !== undefined && !keys.has(key);
    if (isFirst) keys.add(key);
    const label = actionText(choice.action, 'label', choice.items);
    const isSure = place < choices.length;
    return {
      id: `act ${id}`,
      label,
      group: groupName(group, hasEvent),
      icon: <Icon size={17} stroke={1.6} />,
      ...(isFirst && { keys: [key] }),
      keyboardOnly: isSure && !isKnown,
      actsOnOpenItem: true,
      run: () => (isSure ? ask(choice) : announcePending(label)),
    };
  });
  const collecting = basket.map(
    ({ kind, label, toggle }, place): Command => ({
      id: `basket ${kind}`,
      label,
      group: i18n.t('Basket'),
      icon: <IconBasket size={17} stroke={1.6} />,
      ...(place === 0 && { keys: [basketKey] }),
      keyboardOnly: !isKnown,
      actsOnOpenItem: true,
      run: toggle,
    }),
  );
  const more: Command = {
    id: 'act more',
    label: i18n.t('All actions'),
    group: i18n.t('Actions'),
    keys: [menuKey],
    keyboardOnly: !isKnown,
    actsOnOpenItem: true,
    run: () => (choices.length + basket.length > 0 ? openMenu() : announcePending(i18n.t('All actions'))),
  };
  const all = [...acting, ...collecting];
  useCommands(all.length > 0 ? [...all, more] : []);
}
