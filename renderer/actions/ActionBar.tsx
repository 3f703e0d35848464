import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { useContext, useRef, useState } from 'react';
import { At } from '../components/At.tsx';
import { characterKeys } from '../components/character-keys.ts';
import { showNotice } from '../components/notice.tsx';
import { KeysAreElsewhere } from '../components/page-selection.ts';
import classes from './ActionBar.module.css';
import { ActionButton } from './ActionButton.tsx';
import { ActionMenu } from './ActionMenu.tsx';
import { ActionPanel } from './ActionPanel.tsx';
import { AwaitedOffers } from './AwaitedOffers.tsx';
import type { ActionBarProps } from './action-bar-props.ts';
import { say } from './action-words.ts';
import { type Choice, isSoByNow, mostButtons, usualOf } from './choices.ts';
import { fitting } from './panel-room.ts';
import { useAwaitedAction } from './use-awaited-action.ts';
import { menuKey, useBarCommands } from './use-bar-commands.tsx';
import { useChoices } from './use-choices.ts';

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
            withKey={!quiet && characterKeys().read()}
            onClick={() => ask(choice)}
          />
        ))}
        {choices.length > usual.length && (
          <span ref={stands(menu)}>
            <ActionMenu
              choices={choices}
              hasEvent={hasEvent}
              withKey={!quiet && characterKeys().read()}
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
            <At element={() => standing.current.get(open.at) ?? null} />
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
