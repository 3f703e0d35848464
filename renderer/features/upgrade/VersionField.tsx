import { i18n } from '@lingui/core';
import { Autocomplete } from '@mantine/core';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
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
  const value = side?.text ?? '';
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);

  const isLeft = useRef(false);

  function apply(text: string) {
    const wanted = text.trim();
    if (wanted !== value) onChange(wanted || undefined);
    // Nothing means what it was before anybody typed: show that again.
    if (wanted === '') setTyped(value);
  }

  const { error } = side ?? {};
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <Autocomplete
        ref={inputRef}
        id={id}
        size="xs"
        className={classes.input}
        value={typed}
        placeholder={origin}
        data={[...knownVersions]}
        limit={60}
        filter={({ options, search }) =>
          // What is there already is not a search: show all there is to choose from.
          search === value
            ? options
            : options.filter((option) => 'value' in option && option.value.includes(search.trim()))
        }
        error={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={setTyped}
        onOptionSubmit={apply}
        onBlur={() => {
          if (!isLeft.current) apply(typed);
          isLeft.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(event.currentTarget.value);
          if (event.key !== 'Escape') return;
          // Leaves it as it was before anybody typed.
          isLeft.current = true;
          setTyped(value);
          event.currentTarget.blur();
        }}
        clearable={isTyped}
        onClear={() => onChange(undefined)}
        clearButtonProps={{ 'aria-label': i18n.t('Back to {origin}', { origin }) }}
        spellCheck={false}
      />
      <span id={`${id}-note`} className={classes.note} role={error && 'alert'} data-error={error && true}>
        {error
          ? isTyped
            ? i18n.t('{problem}: {wayOut}.', {
                problem: i18n.t(error.problem.sentence, error.problem.values),
                wayOut: i18n.t(error.wayOut.sentence),
              })
            : i18n.t("The server says its version so that it can't be read: type it like 1.98.0.")
          : side && (isTyped ? i18n.t('chosen here') : origin)}
      </span>
    </div>
  );
}
