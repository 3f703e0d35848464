import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { DesktopSettings } from '../../shared/desktop-settings.ts';
import type { Shell } from '../transport/host.ts';

const key = ['desktop-settings'];

/** What the person has chosen of the desktop app; the system can change some of it as well. */
export const desktopSettingsQuery = (shell: Shell) =>
  queryOptions({ queryKey: key, queryFn: () => shell.settings(), staleTime: 0 });

/** Whether the system shows notifications, as far as it says so. */
export const notificationsShownQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['notifications-shown'],
    queryFn: () => shell.notificationsShown(),
    staleTime: 0,
  });

export const chooseDesktopSettings = (shell: Shell) =>
  mutationOptions({
    mutationKey: key,
    mutationFn: (chosen: DesktopSettings) => shell.chooseSettings(chosen),
    onSuccess: (settings, _chosen, _result, { client }) => client.setQueryData(key, settings),
  });
