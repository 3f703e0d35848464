import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { type Ref, useEffect, useRef, useState } from 'react';

type Props = Pick<TextInputProps, 'id' | 'className' | 'placeholder' | 'error' | 'aria-describedby'> & {
  label: string;
  value: string;
  /** What there is to choose from; anything else can be typed. */
  known: readonly string[];
  /** How many of these are offered at once. */
  most: number;
  /** Its value was chosen by someone, and can be taken away. */
  isChosen: boolean;
  /** What that does. */
  clearLabel?: string;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string | undefined) => void;
};

/** A text that is taken when it is finished, and not at each letter. What is known of it is offered meanwhile. */
export function SuggestedText(props: Props) {
  const { label, value, known, most, isChosen, clearLabel, inputRef, onChange, ...input } = props;
  const [typed, setTyped] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what nobody has chosen any more may read the same
  useEffect(() => setTyped(value), [value, isChosen]);
  const isLeft = useRef(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  // What is there already is not a search: all there is to choose from is shown.
  const sought = typed === value ? '' : typed.trim().toLowerCase();
  const offered = known.filter((text) => text.toLowerCase().includes(sought)).slice(0, most);

  function apply(text: string) {
    const wanted = text.trim();
    if (wanted !== value) onChange(wanted || undefined);
    // Nothing means what it was before anybody typed: that is shown again.
    if (wanted === '' && !isChosen) setTyped(value);
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
            if (!isLeft.current) apply(typed);
            isLeft.current = false;
          }}
          onKeyDown={(event) => {
            // Who went to one that is offered takes that.
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) apply(typed);
            if (event.key !== 'Escape') return;
            // Leaves it as it was before anybody typed.
            isLeft.current = true;
            setTyped(value);
            event.currentTarget.blur();
          }}
          rightSection={
            isChosen &&
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
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options aria-label={label} mah={220} style={{ overflowY: 'auto' }}>
          {offered.map((text) => (
            <Combobox.Option key={text} value={text}>
              {text}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
