import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './Form.module.css';
import { SendButton, sendingKeys } from './SendButton.tsx';

type Props = {
  children: ReactNode;
  /** What it does, on its button. */
  label: string;
  /** Why it was not done, in a sentence. */
  failure: string | undefined;
  /** It is being done. */
  busy?: boolean;
  /** It can't be sent as it is. */
  disabled?: boolean;
  /** One of its fields has several lines. */
  severalLines?: boolean;
  onSend: () => void;
  onCancel: () => void;
};

/** A form that asks before something is done: it is sent once, says why that failed, and can be left. */
export function AskingForm(props: Props) {
  const { children, label, failure, busy = false, disabled = false, severalLines = false } = props;
  const { onSend, onCancel } = props;
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    } else sendingKeys(severalLines)(event);
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !disabled) onSend();
      }}
      onKeyDown={onKeyDown}
      noValidate
    >
      {children}
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={classes.buttons}>
        <SendButton severalLines={severalLines} loading={busy} disabled={disabled}>
          {label}
        </SendButton>
        <Button variant="default" onClick={onCancel}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
