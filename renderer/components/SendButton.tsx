import { i18n } from '@lingui/core';
import { Button, type ButtonProps, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import type { ComponentProps, KeyboardEvent } from 'react';
import classes from './SendButton.module.css';

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

type Props = ButtonProps & Pick<ComponentProps<'button'>, 'ref'> & { severalLines?: boolean };

/** The button that sends such a form, with the key that does the same. */
export function SendButton({ severalLines = false, ...props }: Props) {
  const withControl = useOs() === 'macos' ? '⌘ ↵' : 'Ctrl ↵';
  return (
    <Button
      type="submit"
      title={severalLines ? i18n.t('Ctrl or ⌘ with Enter') : i18n.t('Enter')}
      rightSection={
        <Kbd size="xs" aria-hidden className={classes.key}>
          {severalLines ? withControl : '↵'}
        </Kbd>
      }
      {...props}
    />
  );
}
