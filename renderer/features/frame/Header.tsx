import { i18n } from '@lingui/core';
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import { Hint } from '../../components/Hint.tsx';
import { keyLabel } from '../../components/key-label.ts';
import { useServerIfAny } from '../../console-context.ts';
import classes from './Header.module.css';
import { palette } from './palette.ts';
import { NoServer, ServerSwitcher } from './ServerSwitcher.tsx';

export function Header({ onShowKeys }: { onShowKeys: () => void }) {
  const server = useServerIfAny();
  const modifier = useOs({ getValueInEffect: false }) === 'macos' ? '⌘' : keyLabel('Control');
  return (
    <header className={classes.header}>
      {server ? <ServerSwitcher server={server} /> : <NoServer />}
      <span className={classes.gap} />
      <UnstyledButton
        className={classes.search}
        onClick={palette.open}
        title={i18n.t('Open command palette')}
      >
        <IconSearch size={14} aria-hidden />
        <span className={classes.searchText}>{i18n.t('Search or run…')}</span>
        <Kbd size="xs" className={classes.searchKeys}>
          {modifier} K
        </Kbd>
      </UnstyledButton>
      <Hint label={i18n.t('Keyboard shortcuts (?)')}>
        <ActionIcon onClick={onShowKeys} aria-label={i18n.t('Keyboard shortcuts')}>
          <IconKeyboard size={17} stroke={1.6} />
        </ActionIcon>
      </Hint>
    </header>
  );
}
