import { type RefObject, useLayoutEffect } from 'react';

/**
 * Leads to the first field in which something is wrong.
 *
 * @param refusals how often the form was to be sent while something was
 */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, refusals: number) {
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const inputs = [
      ...(form.current?.querySelectorAll<HTMLInputElement>('[aria-invalid=true], [required]') ?? []),
    ];
    inputs.find((input) => input.ariaInvalid === 'true' || input.value.trim() === '')?.focus();
  }, [form, refusals]);
}
