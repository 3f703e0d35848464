import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { type Ref, useEffect, useRef, useState } from 'react';

type Props = Pick<TextInputProps, 'id' | 'className' | 'placeholder' | 'error' | 'aria-describedby'> & {
  label: string;
  value: string;
  /** Suggestions; any other text can be typed. */
  suggestions: readonly string[];
  /** How many suggestions are shown at once. */
  maxSuggestions: number;
  /** Whether the user set the value, so that it can be cleared. */
  isSet: boolean;
  clearLabel?: string;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string | undefined) => void;
};

/** Renders a text field with suggestions that commits on Enter, blur or choice. */
export function SuggestField(props: Props) {
  const { label, value, suggestions, maxSuggestions, isSet, clearLabel, inputRef, onChange, ...input } =
    props;
  const [typed, setTyped] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cleared value may equal the default
  useEffect(() => setTyped(value), [value, isSet]);
  const isCanceled = useRef(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  // An untouched value isn't a search: show every suggestion.
  const query = typed === value ? '' : typed.trim().toLowerCase();
  const matches = suggestions.filter((text) => text.toLowerCase().includes(query)).slice(0, maxSuggestions);

  function apply(text: string) {
    const next = text.trim();
    if (next !== value) onChange(next || undefined);
    // Cleared: show the default again.
    if (next === '' && !isSet) setTyped(value);
  }

  return (
    <Combobox
      store={combobox}
      size="xs"
      keepMounted={false}
      onOptionSubmit={(text) => {
        setTyped(text);
        apply(text);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...input}
          ref={inputRef}
          role="combobox"
          aria-label={label}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.resetSelectedOption();
            combobox.openDropdown();
          }}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            if (!isCanceled.current) apply(typed);
            isCanceled.current = false;
          }}
          onKeyDown={(event) => {
            // With a suggestion selected, Enter submits that one.
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) {
              apply(typed);
              combobox.closeDropdown();
            }
            if (event.key !== 'Escape') return;
            // Discards the typed text.
            isCanceled.current = true;
            setTyped(value);
            event.currentTarget.blur();
          }}
          rightSection={
            isSet &&
            typed !== '' && (
              <Combobox.ClearButton
                aria-label={clearLabel}
                onClear={() => {
                  setTyped('');
                  onChange(undefined);
                }}
              />
            )
          }
          spellCheck={false}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={matches.length === 0}>
        <Combobox.Options aria-label={label} mah={220} style={{ overflowY: 'auto' }}>
          {matches.map((text) => (
            <Combobox.Option key={text} value={text}>
              {text}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
