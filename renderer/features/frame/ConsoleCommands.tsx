import { i18n } from '@lingui/core';
import { useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconLogout, IconMoonStars } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SignOutQuestion } from '../../actions/SignOutQuestion.tsx';
import { connectionsQuery } from '../../api/connections.ts';
import type { Command } from '../../components/commands.ts';
import { useCommands, useConsole, useServerIfAny } from '../../console-context.ts';
import { serverLabel } from '../../transport/server-name.ts';
import { chosenLanguage } from '../../words/languages.ts';

const languages = [
  { value: '', name: /*i18n*/ 'Language: system' },
  { value: 'en', name: /*i18n*/ 'Language: English' },
  { value: 'de', name: /*i18n*/ 'Language: Deutsch' },
] as const;

/** The palette's part of the settings, and signing out, which asks first. */
export function ConsoleCommands(): ReactNode {
  const { host } = useConsole();
  const server = useServerIfAny();
  const { setColorScheme } = useMantineColorScheme();
  const { data: connections = [] } = useQuery(connectionsQuery(host));
  const [asksToSignOut, setAsks] = useState(false);
  const label = server && serverLabel(server.connection, connections);
  const group = i18n.t('Console');
  useCommands([
    {
      id: 'color-scheme of the system',
      label: i18n.t('Color scheme: system'),
      group,
      icon: <IconMoonStars size={17} stroke={1.6} />,
      run: () => setColorScheme('auto'),
    },
    ...languages.map(
      ({ value, name }): Command => ({
        id: `language ${value}`,
        label: i18n.t(name),
        group,
        icon: <IconLanguage size={17} stroke={1.6} />,
        run: () => chosenLanguage().write(value),
      }),
    ),
    ...(server
      ? [
          {
            id: 'sign out',
            label: i18n.t('Sign out of {name}', { name: label }),
            group: i18n.t('Servers'),
            icon: <IconLogout size={17} stroke={1.6} />,
            run: () => setAsks(true),
          },
        ]
      : []),
  ]);
  if (!server) return null;
  return (
    <SignOutQuestion
      connection={server.connection}
      label={label}
      opened={asksToSignOut}
      onClose={() => setAsks(false)}
    />
  );
}
