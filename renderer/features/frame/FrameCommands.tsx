import { i18n } from '@lingui/core';
import { useMantineColorScheme } from '@mantine/core';
import {
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoonStars,
  IconPlugConnected,
  IconServer,
  IconSpacingVertical,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { SignOutQuestion } from '../../actions/SignOutQuestion.tsx';
import { restoreMarkUndos } from '../../actions/undo-marks.ts';
import { undosOf } from '../../actions/undo-stack.ts';
import type { Command } from '../../components/commands.ts';
import { noticesOf } from '../../components/notices.ts';
import { useConnections } from '../../connection-look.ts';
import { useCommands, useConsole, useServerIfAny } from '../../console-context.ts';
import { chosenDensity, useDensity } from '../../density.ts';
import { chosenLanguage } from '../../words/languages.ts';
import { screens, useAvailableScreens } from './screens.ts';

const screensWithKey = screens.filter(({ rare }) => !rare);

type Props = { onOpenPalette: () => void; onShowKeys: () => void };

/** The commands of every screen. */
export function FrameCommands({ onOpenPalette, onShowKeys }: Props) {
  const { host } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const { connections, labelOf } = useConnections();

  useEffect(
    () =>
      host.shell?.onMenuCommand(({ command }) => {
        if (command === 'palette') onOpenPalette();
        else navigate({ to: '/settings' });
      }),
    [host, navigate, onOpenPalette],
  );

  useEffect(() => {
    if (server) restoreMarkUndos(server);
  }, [server]);

  const goTo = useAvailableScreens().map((screen): Command => {
    const { path, search, name, icon: Icon, rare, key } = screen;
    return {
      id: path,
      label: i18n.t(name),
      group: i18n.t('Go to'),
      // Keys don't depend on the server, even if it lacks a screen. Home has 0.
      ...(key !== undefined && { keys: [key] }),
      ...(!rare && { keys: [String(screensWithKey.indexOf(screen))] }),
      icon: <Icon size={17} stroke={1.6} />,
      run: () => navigate({ to: path, search: search ?? {} }),
    };
  });

  const servers = connections
    .filter(({ id }) => id !== server?.id)
    .map(
      (connection): Command => ({
        id: `server ${connection.id}`,
        label: i18n.t('Switch to {name}', { name: labelOf(connection) }),
        group: i18n.t('Servers'),
        icon: <IconServer size={17} stroke={1.6} />,
        run: () => navigate({ to: '/', search: { server: connection.id } }),
      }),
    );

  useCommands([
    ...goTo,
    ...servers,
    ...(server
      ? [
          {
            id: 'undo',
            label: i18n.t('Undo last action or status change'),
            group: i18n.t('Actions'),
            keys: ['z', 'U'],
            run: () =>
              undosOf(server).undoLatest() || noticesOf(server).show({ text: i18n.t('Nothing to undo') }),
          },
        ]
      : []),
    {
      id: 'connect',
      label: i18n.t('Connect to another server'),
      group: i18n.t('Servers'),
      icon: <IconPlugConnected size={17} stroke={1.6} />,
      run: () => navigate({ to: '/connect' }),
    },
    {
      id: 'color-scheme',
      label: i18n.t('Toggle light and dark color scheme'),
      group: i18n.t('Console'),
      icon: <IconMoonStars size={17} stroke={1.6} />,
      run: toggleColorScheme,
    },
    {
      id: 'keys',
      label: i18n.t('Show keyboard shortcuts'),
      group: i18n.t('Console'),
      keys: ['?'],
      icon: <IconKeyboard size={17} stroke={1.6} />,
      run: onShowKeys,
    },
  ]);
  return null;
}

const languages = [
  { value: '', name: /*i18n*/ 'Language: system' },
  { value: 'en', name: /*i18n*/ 'Language: English' },
  { value: 'de', name: /*i18n*/ 'Language: Deutsch' },
] as const;

/** Commands for color scheme, language and signing out. */
export function ConsoleCommands(): ReactNode {
  const { deviceStorage } = useConsole();
  const server = useServerIfAny();
  const { setColorScheme } = useMantineColorScheme();
  const { labelOf } = useConnections();
  const density = useDensity();
  const [isSigningOut, setSigningOut] = useState(false);
  const label = server && labelOf(server.connection);
  const group = i18n.t('Console');
  useCommands([
    {
      id: 'color-scheme of the system',
      label: i18n.t('Color scheme: system'),
      group,
      icon: <IconMoonStars size={17} stroke={1.6} />,
      run: () => setColorScheme('auto'),
    },
    {
      id: 'density',
      label: density === 'compact' ? i18n.t('Row density: comfortable') : i18n.t('Row density: compact'),
      group,
      icon: <IconSpacingVertical size={17} stroke={1.6} />,
      run: () => chosenDensity(deviceStorage).write(density === 'compact' ? 'comfortable' : 'compact'),
    },
    ...languages.map(
      ({ value, name }): Command => ({
        id: `language ${value}`,
        label: i18n.t(name),
        group,
        icon: <IconLanguage size={17} stroke={1.6} />,
        run: () => chosenLanguage(deviceStorage).write(value),
      }),
    ),
    ...(server
      ? [
          {
            id: 'sign out',
            label: i18n.t('Sign out of {name}', { name: label }),
            group: i18n.t('Servers'),
            icon: <IconLogout size={17} stroke={1.6} />,
            run: () => setSigningOut(true),
          },
        ]
      : []),
  ]);
  if (!server || !isSigningOut) return null;
  return (
    <SignOutQuestion connection={server.connection} label={label} onClose={() => setSigningOut(false)} />
  );
}
