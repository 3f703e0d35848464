import { Button, Kbd } from '@mantine/core';
import { keyLabel } from '../../components/commands.ts';
import { actionText } from '../action-words.ts';
import classes from './ActionBar.module.css';
import type { Choice } from './choices.ts';

type Props = {
  choice: Choice;
  opened: boolean;
  withKey: boolean;
  onClick: () => void;
  ref?: React.Ref<HTMLButtonElement>;
};

/** A button for an action, with its shortcut. */
export function ActionButton({ choice: { action, items }, opened, withKey, ...props }: Props) {
  const Icon = action.icon;
  return (
    <Button
      {...props}
      variant="default"
      data-destructive={action.destructive}
      aria-haspopup="dialog"
      aria-expanded={opened}
      {...(withKey && action.key && { 'aria-keyshortcuts': action.key })}
      title={[actionText(action, 'label', items), withKey && action.key && keyLabel(action.key)]
        .filter(Boolean)
        .join(' · ')}
      classNames={{ root: classes.button, section: classes.sign }}
      leftSection={<Icon size={14} stroke={1.7} aria-hidden />}
      rightSection={
        withKey &&
        action.key && (
          <Kbd size="xs" className={classes.key} aria-hidden>
            {keyLabel(action.key)}
          </Kbd>
        )
      }
    >
      <span className={classes.words}>{actionText(action, 'label', items)}</span>
    </Button>
  );
}
