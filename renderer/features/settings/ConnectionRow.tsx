import { i18n } from '@lingui/core';
import { ActionIcon, Button, Switch, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { type ConnectionColor, connectionColors, type Look } from '../../../shared/connection-look.ts';
import { dialects } from '../../../shared/dialect.ts';
import { SignOutQuestion } from '../../actions/SignOutQuestion.tsx';
import { ConnectionSwatch } from '../../components/ConnectionSwatch.tsx';
import { StateMark } from '../../components/State.tsx';
import type { LabeledConnections } from '../../connection-look.ts';
import { serverLabel } from '../../transport/server-name.ts';
import classes from './Settings.module.css';

type Props = { connection: Connection; all: LabeledConnections };

/** A connection: its label, color, place and production mark, and signing out. */
export function ConnectionRow({ connection, all }: Props) {
  const [isSigningOut, setSigningOut] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { connections, labelOf, lookOf, move } = all;
  const label = labelOf(connection);
  const look = lookOf(connection);
  return (
    <section className={classes.connection} aria-label={label}>
      <div className={classes.connectionLine}>
        <ConnectionSwatch look={look} />
        <div className={classes.connectionText}>
          <strong>{look.label ?? serverLabel(connection, [])}</strong>
          {connection.local && ` (${i18n.t('local server')})`}{' '}
          {look.isProduction && (
            <StateMark words={i18n.t('Production')} tone="danger" icon={IconAlertTriangle} />
          )}
          <div className={classes.connectionDetail}>
            {connection.userId} · {connection.baseUrl} · {dialects[connection.dialect].administration}
          </div>
        </div>
        <div className={classes.connectionActions}>
          {connections.length > 1 && (
            <>
              <ActionIcon
                aria-label={i18n.t('Move up: {name}', { name: label })}
                disabled={connections[0] === connection}
                onClick={() => move(connection, -1)}
              >
                <IconArrowUp size={15} />
              </ActionIcon>
              <ActionIcon
                aria-label={i18n.t('Move down: {name}', { name: label })}
                disabled={connections.at(-1) === connection}
                onClick={() => move(connection, 1)}
              >
                <IconArrowDown size={15} />
              </ActionIcon>
            </>
          )}
          <Button
            variant="default"
            aria-expanded={isEditing}
            aria-label={i18n.t('Customize {name}', { name: label })}
            onClick={() => setEditing(!isEditing)}
          >
            {i18n.t('Customize')}
          </Button>
          <Button
            variant="default"
            onClick={() => setSigningOut(true)}
            aria-label={i18n.t('Sign out of {name}', { name: label })}
          >
            {i18n.t('Sign out')}
          </Button>
        </div>
      </div>
      {isEditing && (
        <LookForm
          look={look}
          placeholder={serverLabel(connection, connections)}
          onChange={(changed) => all.change(connection, changed)}
        />
      )}
      {isSigningOut && (
        <SignOutQuestion connection={connection} label={label} onClose={() => setSigningOut(false)} />
      )}
    </section>
  );
}

const colorNames: Record<ConnectionColor, string> = {
  red: /*i18n*/ 'Red',
  orange: /*i18n*/ 'Orange',
  yellow: /*i18n*/ 'Yellow',
  green: /*i18n*/ 'Green',
  blue: /*i18n*/ 'Blue',
  violet: /*i18n*/ 'Violet',
  pink: /*i18n*/ 'Pink',
};

type FormProps = { look: Look; placeholder: string; onChange: (look: Look) => void };

/** Changes take effect at once. */
function LookForm({ look, placeholder, onChange }: FormProps) {
  const name = useId();
  const { label, color, isProduction, ...rest } = look;
  const write = ({ label, color, isProduction }: { [Key in keyof Look]: Look[Key] | undefined }) =>
    onChange({
      ...rest,
      ...(label && { label }),
      ...(color && { color }),
      ...(isProduction && { isProduction }),
    });
  const change = (changes: { [Key in keyof Look]?: Look[Key] | undefined }) =>
    write({ label, color, isProduction, ...changes });
  return (
    <div className={classes.look}>
      <TextInput
        label={i18n.t('Label')}
        placeholder={placeholder}
        maxLength={40}
        value={label ?? ''}
        onChange={(event) => change({ label: event.currentTarget.value.trimStart() })}
        spellCheck={false}
      />
      <fieldset className={classes.colors}>
        <legend>{i18n.t('Color')}</legend>
        {[undefined, ...(Object.keys(connectionColors) as ConnectionColor[])].map((each) => (
          <label key={each ?? ''} className={classes.color}>
            <input
              type="radio"
              name={name}
              aria-label={each ? i18n.t(colorNames[each]) : i18n.t('No color')}
              checked={color === each}
              onChange={() => change({ color: each })}
            />
            <ConnectionSwatch look={each ? { color: each } : {}} />
          </label>
        ))}
      </fieldset>
      <Switch
        label={i18n.t('Production')}
        description={i18n.t(
          'Marks the header. Harmful actions on several users, rooms or files ask for their number.',
        )}
        checked={isProduction ?? false}
        onChange={(event) => change({ isProduction: event.currentTarget.checked })}
      />
    </div>
  );
}
