import { i18n } from '@lingui/core';
import { type Ref, useId } from 'react';
import { SuggestedText } from '../../components/SuggestedText.tsx';
import { knownVersions } from './known-versions.ts';
import type { Side } from './requested-way.ts';
import classes from './VersionField.module.css';

type Props = {
  label: string;
  side: Side | undefined;
  /** Where the version comes from while nobody has typed one. */
  origin: string;
  isTyped: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (version: string | undefined) => void;
};

/** One end of the way. A version is taken when it is finished, and not at each letter. */
export function VersionField({ label, side, origin, isTyped, inputRef, onChange }: Props) {
  const id = useId();
  const { error } = side ?? {};
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <SuggestedText
        inputRef={inputRef}
        id={id}
        className={classes.input}
        label={label}
        value={side?.text ?? ''}
        placeholder={origin}
        known={knownVersions}
        most={60}
        isChosen={isTyped}
        clearLabel={i18n.t('Reset to {origin}', { origin })}
        error={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={onChange}
      />
      <span id={`${id}-note`} className={classes.note} role={error && 'alert'} data-error={error && true}>
        {error
          ? isTyped
            ? i18n.t('{problem}: {wayOut}.', {
                problem: i18n.t(error.problem.sentence, error.problem.values),
                wayOut: i18n.t(error.wayOut.sentence),
              })
            : i18n.t('Unreadable server version. Enter one like 1.98.0.')
          : side && (isTyped ? i18n.t('entered manually') : origin)}
      </span>
    </div>
  );
}
