import { i18n } from '@lingui/core';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { HazardText } from '../../components/HazardText.tsx';
import { maxReporterMessage } from '../reporter-messages.ts';
import classes from './ActionPanel.module.css';
import { LongText } from './TemplateField.tsx';
import type { ReporterMessage } from './use-reporter-message.ts';

type Props = {
  message: ReporterMessage;
  /** Shows why it can't be sent. */
  showsFault: boolean;
};

/** Offers a message to the reporters, and shows it as it's sent. */
export function ReporterMessageFields({ message, showsFault }: Props) {
  const { recipients, informed, isEnabled } = message;
  if (recipients.length === 0) {
    return (
      informed > 0 && (
        <p className={classes.note}>
          {i18n.t(
            '{count, plural, one {The reporter was messaged before.} other {All # reporters were messaged before.}}',
            {
              count: informed,
            },
          )}
        </p>
      )
    );
  }
  return (
    <>
      <Checkbox
        size="xs"
        label={i18n.t('Message {count, plural, one {the reporter} other {the # reporters}}', {
          count: recipients.length,
        })}
        description={
          informed > 0 &&
          i18n.t('{count, plural, one {One more was} other {# more were}} messaged before.', {
            count: informed,
          })
        }
        checked={isEnabled}
        onChange={(event) => message.want(event.currentTarget.checked)}
      />
      {isEnabled && <Fields message={message} showsFault={showsFault} />}
    </>
  );
}

function Fields({ message, showsFault }: Props) {
  const { language, languages, offersNotices, via, text, draft, fault } = message;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a form that has its own legend
    <div ref={intoView} role="group" aria-label={i18n.t('Message to reporters')} className={classes.letter}>
      <div className={classes.timing}>
        <NativeSelect
          size="xs"
          label={i18n.t('Language')}
          data={languages.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          onChange={(event) => message.setLanguage(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label={i18n.t('Send as')}
          data={[
            ...(offersNotices ? [{ value: 'notice', label: i18n.t('Server notice') }] : []),
            { value: 'direct', label: i18n.t('Direct message from your account') },
          ]}
          value={via}
          onChange={(event) => message.setVia(event.currentTarget.value)}
        />
      </div>
      <LongText
        label={i18n.t('Message to reporters')}
        minRows={2}
        maxRows={6}
        maxLength={maxReporterMessage}
        error={(showsFault && fault) || undefined}
        value={draft}
        onChange={(event) => message.type(event.currentTarget.value)}
      />
      {(message.isEdited || message.isOfTeam) && (
        <div className={classes.choices}>
          {message.isEdited && (
            <Button size="compact-xs" variant="default" onClick={message.saveTemplate}>
              {i18n.t('Save as team template')}
            </Button>
          )}
          {message.isOfTeam && !message.isEdited && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={message.resetTemplate}>
              {i18n.t('Restore default')}
            </Button>
          )}
        </div>
      )}
      <section aria-label={i18n.t('Preview')}>
        <p className={classes.note}>
          {via === 'direct'
            ? i18n.t('Sent from your account, which reporters can see:')
            : i18n.t('Sent by the server, without your name:')}
        </p>
        <blockquote className={classes.preview}>
          <HazardText text={text} />
        </blockquote>
      </section>
    </div>
  );
}

/** A panel scrolls, and its buttons cover the content below. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** Returns a language's name in that language. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
