/** Where Mantine puts what opens over the screen; `main.tsx` makes it. */
const portal = () => document.querySelector('[data-mantine-shared-portal-node]');

/** The dialog or the menu that was opened last, and is open. */
export const opened = (): HTMLElement | undefined =>
  [...(portal()?.querySelectorAll<HTMLElement>('[role="dialog"], [role="menu"]') ?? [])].at(-1);

const starts = [
  '[data-autofocus]',
  '[role^="menuitem"]:not(:disabled)',
  ':is(input, select, textarea, button):not(:disabled, [type="hidden"]), a[href]',
];

/** Puts the focus where one begins in a dialog or a menu, unless it is in there already. */
export function takeFocus(over: HTMLElement) {
  const focused = document.activeElement;
  if (focused !== over && over.contains(focused)) return;
  const start = starts.map((each) => over.querySelector<HTMLElement>(each)).find((found) => found !== null);
  (start ?? over).focus({ preventScroll: true });
}
