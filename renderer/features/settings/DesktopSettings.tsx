import { i18n } from '@lingui/core';
import { Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Connection } from '../../../shared/connection.ts';
import type { DesktopSettings as Settings } from '../../../shared/desktop-settings.ts';
import { chooseDesktopSettings, desktopSettingsQuery, notificationsShownQuery } from '../../api/shell.ts';
import { FailureMessage } from '../../components/LoadStates.tsx';
import { PageSection } from '../../components/Page.tsx';
import type { Shell } from '../../transport/host.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { serverLabel } from '../../transport/server-name.ts';
import classes from './DesktopSettings.module.css';

const usualQuietHours = { from: '22:00', to: '07:00' };

/** What the desktop app does beside its window: nothing of it before somebody switches it on. */
export function DesktopSettings({
  shell,
  connections,
}: {
  shell: Shell;
  connections: readonly Connection[];
}) {
  const { data, error, refetch, isFetching } = useQuery(desktopSettingsQuery(shell));
  const choosing = useMutation(chooseDesktopSettings(shell));
  const settings = choosing.isPending ? choosing.variables : data;
  const choose = (change: Partial<Settings>) => settings && choosing.mutate({ ...settings, ...change });

  return (
    <>
      <PageSection
        title={i18n.t('New reports')}
        description={i18n.t(
          'Notifies you of event, user and room reports while Gatehouse runs, even with its window closed.',
        )}
      >
        {error && (
          <FailureMessage
            title={i18n.t("Couldn't load settings")}
            error={error}
            onRetry={refetch}
            retrying={isFetching}
          />
        )}
        {choosing.error && <p role="alert">{failureSentence(choosing.error)}</p>}
        {settings && (
          <>
            <NotShown shell={shell} />
            <Notifications settings={settings} connections={connections} choose={choose} />
            <QuietHours settings={settings} choose={choose} />
            <Switch
              label={i18n.t('Icon badge')}
              description={i18n.t('Open event reports on all connected servers.')}
              checked={settings.badge}
              onChange={(event) => choose({ badge: event.currentTarget.checked })}
            />
          </>
        )}
      </PageSection>
      {settings && (
        <PageSection title={i18n.t('Background')} description={i18n.t('Stored on this device.')}>
          <Switch
            label={i18n.t('Tray icon')}
            description={i18n.t('Shows server status and reopens the window.')}
            checked={settings.tray}
            onChange={(event) => choose({ tray: event.currentTarget.checked })}
          />
          <Switch
            label={i18n.t('Keep running when the window closes')}
            description={i18n.t('Also keeps the local server running. Start Gatehouse to reopen it.')}
            checked={settings.keepsRunning}
            onChange={(event) => choose({ keepsRunning: event.currentTarget.checked })}
          />
          <Switch
            label={i18n.t('Start at login')}
            description={
              settings.keepsRunning ? i18n.t('Starts in the background.') : i18n.t('Opens the window.')
            }
            checked={settings.startsAtLogin}
            onChange={(event) => choose({ startsAtLogin: event.currentTarget.checked })}
          />
        </PageSection>
      )}
    </>
  );
}

/** What is chosen below does nothing where the system shows nothing. */
function NotShown({ shell }: { shell: Shell }) {
  const { data } = useQuery(notificationsShownQuery(shell));
  if (!data || data.state === 'shown') return null;
  return (
    <p role="status" className={classes.note}>
      {data.state === 'refused'
        ? i18n.t('Last notification failed: {reason} Allow Gatehouse notifications in system settings.', {
            reason: data.reason.replace(/[^.!?]$/, '$&.'),
          })
        : i18n.t("This system doesn't support notifications.")}
    </p>
  );
}

type PartProps = { settings: Settings; choose: (change: Partial<Settings>) => void };

function Notifications({
  settings: { notifications },
  connections,
  choose,
}: PartProps & { connections: readonly Connection[] }) {
  if (connections.length === 0) {
    return <p className={classes.note}>{i18n.t('Connect to a server to get notifications.')}</p>;
  }
  return (
    <fieldset className={classes.group}>
      <legend>{i18n.t('Notify me about reports on')}</legend>
      {connections.map((connection) => (
        <Switch
          key={connection.id}
          label={serverLabel(connection, connections)}
          checked={notifications.includes(connection.id)}
          onChange={(event) =>
            choose({
              notifications: event.currentTarget.checked
                ? [...notifications, connection.id]
                : notifications.filter((id) => id !== connection.id),
            })
          }
        />
      ))}
    </fieldset>
  );
}

function QuietHours({ settings: { quiet }, choose }: PartProps) {
  const time = (label: string, end: 'from' | 'to', { from, to }: NonNullable<Settings['quiet']>) => (
    <TextInput
      type="time"
      label={label}
      required
      withAsterisk={false}
      value={end === 'from' ? from : to}
      onChange={({ currentTarget: { value } }) => {
        // Between two digits it is none.
        if (value !== '') choose({ quiet: { from, to, [end]: value } });
      }}
    />
  );
  return (
    <div>
      <Switch
        label={i18n.t('Quiet hours')}
        description={i18n.t('Summarizes reports once quiet hours end.')}
        checked={quiet !== undefined}
        onChange={(event) => choose({ quiet: event.currentTarget.checked ? usualQuietHours : undefined })}
      />
      {quiet && (
        <div className={classes.times}>
          {time(i18n.t('From'), 'from', quiet)}
          {time(i18n.t('To'), 'to', quiet)}
        </div>
      )}
    </div>
  );
}
