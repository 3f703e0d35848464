import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import classes from './notice.module.css';

const autoCloseMs = 12_000;

type Notice = {
  text: string;
  undo?: (() => void) | undefined;
  /** Names what is undone, for screen readers. */
  undoLabel?: string | undefined;
  /** Stays until it is closed. */
  isSticky?: boolean;
  /** Deduplicates: while a notice with this ID is open, another one isn't shown. */
  dedupeId?: string;
  className?: string | undefined;
  onClose?: () => void;
};

/** Shows a notice, with an undo button if given. Returns a function that hides it. */
export function showNotice({
  text,
  undo,
  undoLabel,
  isSticky = false,
  dedupeId,
  className = '',
  onClose,
}: Notice): () => void {
  const id = notifications.show({
    ...(dedupeId && { id: dedupeId }),
    role: 'status',
    autoClose: isSticky ? false : autoCloseMs,
    classNames: { root: `${classes.line} ${className}` },
    message: (
      <div className={classes.content}>
        <span>{text}</span>
        {undo && (
          <Button
            variant="light"
            className={classes.undo ?? ''}
            aria-label={undoLabel && i18n.t('Undo: {what}', { what: undoLabel })}
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

/** Renders the notices at the right, because lists are at the left. */
export function Notices() {
  return <Notifications position="bottom-right" limit={6} containerWidth={380} />;
}
