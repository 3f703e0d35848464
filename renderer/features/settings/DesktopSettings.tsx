import { i18n } from '@lingui/core';
import { Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { DesktopSettings as Settings } from '../../../shared/desktop-settings.ts';
import { chooseDesktopSettings, desktopSettingsQuery, notificationsShownQuery } from '../../api/shell.ts';
import { FailureMessage } from '../../components/LoadStates.tsx';
import { PageSection } from '../../components/page/Page.tsx';
import type { LabeledConnections } from '../../connection-look.ts';
import type { Shell } from '../../transport/host.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './Settings.module.css';

const defaultQuietHours = { from: '22:00', to: '07:00' };

/** Notifications and background behavior of the desktop app; off by default. */
export function DesktopSettings({ shell, connections }: { shell: Shell; connections: LabeledConnections }) {
  const query = useQuery(desktopSettingsQuery(shell));
  const save = useMutation(chooseDesktopSettings(shell));
  const settings = save.isPending ? save.variables : query.data;
  const change = (changes: Partial<Settings>) => settings && save.mutate({ ...settings, ...changes });

  return (
    <>
      <PageSection
        title={i18n.t('New reports')}
        description={i18n.t(
          'Notifies you of event, user and room reports while Gatehouse runs, even with its window closed.',
        )}
      >
        {query.error && <FailureMessage title={i18n.t("Couldn't load settings")} query={query} />}
        {save.error && <p role="alert">{failureSentence(save.error)}</p>}
        {settings && (
          <>
            <NotificationProblem shell={shell} />
            <Notifications settings={settings} connections={connections} onChange={change} />
            <QuietHours settings={settings} onChange={change} />
            <Switch
              label={i18n.t('Icon badge')}
              description={i18n.t('Open event reports on all connected servers.')}
              checked={settings.badge}
              onChange={(event) => change({ badge: event.currentTarget.checked })}
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
            onChange={(event) => change({ tray: event.currentTarget.checked })}
          />
          <Switch
            label={i18n.t('Keep running when the window closes')}
            description={i18n.t('Also keeps the local server running. Start Gatehouse to reopen it.')}
            checked={settings.keepsRunning}
            onChange={(event) => change({ keepsRunning: event.currentTarget.checked })}
          />
          <Switch
            label={i18n.t('Start at login')}
            description={
              settings.keepsRunning ? i18n.t('Starts in the background.') : i18n.t('Opens the window.')
            }
            checked={settings.startsAtLogin}
            onChange={(event) => change({ startsAtLogin: event.currentTarget.checked })}
          />
        </PageSection>
      )}
    </>
  );
}

/** Warns if the system doesn't show notifications. */
function NotificationProblem({ shell }: { shell: Shell }) {
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

type SectionProps = { settings: Settings; onChange: (changes: Partial<Settings>) => void };

function Notifications({
  settings: { notifications },
  connections: { connections, labelOf },
  onChange,
}: SectionProps & { connections: LabeledConnections }) {
  if (connections.length === 0) {
    return <p className={classes.note}>{i18n.t('Connect to a server to get notifications.')}</p>;
  }
  return (
    <fieldset className={classes.serverSwitches}>
      <legend>{i18n.t('Notify me about reports on')}</legend>
      {connections.map((connection) => (
        <Switch
          key={connection.id}
          label={labelOf(connection)}
          checked={notifications.includes(connection.id)}
          onChange={(event) =>
            onChange({
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

function QuietHours({ settings: { quiet }, onChange }: SectionProps) {
  const timeInput = (label: string, end: 'from' | 'to', { from, to }: NonNullable<Settings['quiet']>) => (
    <TextInput
      type="time"
      label={label}
      required
      withAsterisk={false}
      value={end === 'from' ? from : to}
      onChange={({ currentTarget: { value } }) => {
        // Empty while the time is incomplete.
        if (value !== '') onChange({ quiet: { from, to, [end]: value } });
      }}
    />
  );
  return (
    <div>
      <Switch
        label={i18n.t('Quiet hours')}
        description={i18n.t('Summarizes reports once quiet hours end.')}
        checked={quiet !== undefined}
        onChange={(event) => onChange({ quiet: event.currentTarget.checked ? defaultQuietHours : undefined })}
      />
      {quiet && (
        <div className={classes.quietTimes}>
          {timeInput(i18n.t('From'), 'from', quiet)}
          {timeInput(i18n.t('To'), 'to', quiet)}
        </div>
      )}
    </div>
  );
}
