/** Forms that ask before something is done, and the one key that sends them. */
import { i18n } from '@lingui/core';
import { Button, type ButtonProps, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { keyLabel } from './commands.ts';
import classes from './Form.module.css';

/**
 * One rule for every form that asks once. Enter sends it; where it has a field of several lines, in which Enter begins
 * a new one, it takes Ctrl or ⌘ with Enter, from every field. On the button itself Enter is enough.
 *
 * @param severalLines whether it has such a field
 */
export const sendingKeys =
  (severalLines: boolean) =>
  (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const withControl = event.ctrlKey || event.metaKey;
    const isInField = event.target instanceof HTMLInputElement;
    if (!withControl && !(severalLines && isInField)) return;
    event.preventDefault();
    if (withControl) event.currentTarget.requestSubmit();
  };

type SendProps = ButtonProps & Pick<ComponentProps<'button'>, 'ref'> & { severalLines?: boolean };

/** The button that sends such a form, with the key that does the same. */
export function SendButton({ severalLines = false, ...props }: SendProps) {
  const withControl = useOs() === 'macos' ? '⌘ ↵' : `${keyLabel('Control')} ↵`;
  return (
    <Button
      type="submit"
      title={severalLines ? i18n.t('Ctrl/⌘+Enter') : i18n.t('Enter')}
      rightSection={
        <Kbd size="xs" aria-hidden className={classes.key}>
          {severalLines ? withControl : '↵'}
        </Kbd>
      }
      {...props}
    />
  );
}

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
