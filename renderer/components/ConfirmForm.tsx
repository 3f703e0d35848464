/** Confirmation forms and the keys that submit them. */
import { i18n } from '@lingui/core';
import { Button, type ButtonProps, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { keyLabel } from './commands.ts';
import classes from './Form.module.css';

/**
 * Returns a key handler that submits the form on Enter, or on Ctrl/⌘+Enter if a field has several lines. A focused
 * submit button always takes Enter.
 *
 * @param severalLines whether a field of the form takes line breaks
 */
export const submitKeys =
  (multiline: boolean) =>
  (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const withModifier = event.ctrlKey || event.metaKey;
    const isInField = event.target instanceof HTMLInputElement;
    if (!withModifier && !(multiline && isInField)) return;
    event.preventDefault();
    if (withModifier) event.currentTarget.requestSubmit();
  };

type SubmitButtonProps = ButtonProps & Pick<ComponentProps<'button'>, 'ref'> & { multiline?: boolean };

/** Renders the submit button with its key. */
export function SubmitButton({ multiline = false, ...props }: SubmitButtonProps) {
  const withModifier = useOs() === 'macos' ? '⌘ ↵' : `${keyLabel('Control')} ↵`;
  return (
    <Button
      type="submit"
      title={multiline ? i18n.t('Ctrl/⌘+Enter') : i18n.t('Enter')}
      rightSection={
        <Kbd size="xs" aria-hidden className={classes.key}>
          {multiline ? withModifier : '↵'}
        </Kbd>
      }
      {...props}
    />
  );
}

type Props = {
  children: ReactNode;
  /** The submit button's text. */
  label: string;
  failure?: string | undefined;
  /** Shows the request in progress; blocks another submit. */
  busy?: boolean;
  /** Blocks submitting. */
  disabled?: boolean;
  /** Whether a field takes line breaks. */
  multiline?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
};

/** Renders a form that submits once at a time, shows errors, and cancels on Escape. */
export function ConfirmForm(props: Props) {
  const { children, label, failure, busy = false, disabled = false, multiline = false } = props;
  const { onSubmit, onCancel } = props;
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    } else submitKeys(multiline)(event);
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !disabled) onSubmit();
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
        <SubmitButton multiline={multiline} loading={busy} disabled={disabled}>
          {label}
        </SubmitButton>
        <Button variant="default" onClick={onCancel}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
