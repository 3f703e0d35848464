import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import classes from './notice.module.css';

const shownFor = 12_000;

type Notice = {
  text: string;
  undo?: (() => void) | undefined;
  /** Names what is undone, for screen readers: the text beside the button says it already. */
  undoes?: string | undefined;
  /** It stays until it is closed, or hidden by whoever showed it. */
  stays?: boolean;
  /** Names it: while it is shown, another one of the same name isn't. */
  once?: string;
  className?: string | undefined;
  onClose?: () => void;
};

/** A line that says what was done, with its undo where there is one; gives what hides it. */
export function showNotice({
  text,
  undo,
  undoes,
  stays = false,
  once,
  className = '',
  onClose,
}: Notice): () => void {
  const id = notifications.show({
    ...(once && { id: once }),
    role: 'status',
    autoClose: stays ? false : shownFor,
    classNames: { root: `${classes.line} ${className}` },
    message: (
      <div className={classes.content}>
        <span>{text}</span>
        {undo && (
          <Button
            variant="light"
            className={classes.undo ?? ''}
            aria-label={undoes && i18n.t('Undo: {what}', { what: undoes })}
            onClick={undo}
          >
            {i18n.t('Undo')}
          </Button>
        )}
      </div>
    ),
    ...(onClose && { onClose }),
  });
  return () => void notifications.hide(id);
}

/**
 * The lines that say what was done, over whatever screen is shown; those of before it was there wait for it. They
 * stand at the right, since what one goes on with is in a list at the left.
 */
export function Notices() {
  return <Notifications position="bottom-right" limit={6} containerWidth={380} />;
}
