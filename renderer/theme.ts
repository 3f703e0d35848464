import { i18n } from '@lingui/core';
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { connectionColors } from '../shared/connection-look.ts';

const iris: MantineColorsTuple = [
  '#f1f1fe',
  '#e3e4fb',
  '#c8c9f5',
  '#a9abee',
  '#8b8de6',
  '#7072dd',
  '#5d5fd3',
  '#4f50c4',
  '#4243a8',
  '#35368a',
];

/** Mantine derives the dark scheme's text, lines and surfaces from it. */
const dark: MantineColorsTuple = [
  '#e3e6eb',
  '#bcc3cd',
  '#9aa3b0',
  '#6b7482',
  '#3c434d',
  '#2e343c',
  '#22272d',
  '#1a1e23',
  '#14171b',
  '#0f1114',
];

const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#f0f2f4',
  '#e5e8ec',
  '#d5dae0',
  '#bcc3cc',
  '#8d96a3',
  '#667080',
  '#4c5563',
  '#343b46',
  '#1c2128',
];

/** No animation, so that an overlay gets the next key at once. `useFocusRecovery` moves the focus. */
const overlayProps = { transitionProps: { duration: 0 }, returnFocus: false };

/** Returns the theme with texts in the active language. */
export const consoleTheme = () =>
  createTheme({
    primaryColor: 'iris',
    primaryShade: { light: 7, dark: 6 },
    colors: { iris, dark, gray },
    black: '#1b1f25',
    fontFamily: 'Inter, "Inter fallback", system-ui, sans-serif',
    fontFamilyMonospace: '"JetBrains Mono", "JetBrains Mono fallback", ui-monospace, monospace',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.8125rem', lg: '0.9375rem', xl: '1.1875rem' },
    lineHeights: { xs: '1.35', sm: '1.4', md: '1.4', lg: '1.5', xl: '1.4' },
    spacing: { xs: '0.375rem', sm: '0.625rem', md: '0.875rem', lg: '1.25rem', xl: '2rem' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.1875rem', lineHeight: '1.35' },
        h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
        h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
      },
    },
    defaultRadius: 'sm',
    radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Button: { defaultProps: { size: 'xs' } },
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 26 } },
      TextInput: { defaultProps: { size: 'xs' } },
      Textarea: { defaultProps: { size: 'xs' } },
      Select: { defaultProps: { size: 'xs' } },
      SegmentedControl: {
        defaultProps: { size: 'xs' },
        styles: {
          root: { background: 'var(--gh-sunken)', boxShadow: 'inset 0 0 0 1px var(--gh-line-strong)' },
          indicator: { background: 'var(--gh-thumb)' },
        },
      },
      InputWrapper: { styles: { label: { marginBottom: 3 } } },
      Tooltip: { defaultProps: { openDelay: 400, withArrow: false, fz: 'xs', px: 8, py: 4 } },
      Menu: {
        defaultProps: {
          shadow: 'md',
          ...overlayProps,
          // A menu may only contain menu items.
          withInitialFocusPlaceholder: false,
        },
      },
      Popover: { defaultProps: overlayProps },
      Modal: {
        defaultProps: {
          centered: true,
          ...overlayProps,
          closeButtonProps: { 'aria-label': i18n.t('Close') },
          overlayProps: { backgroundOpacity: 0.35 },
        },
        styles: { title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' } },
      },
      PasswordInput: {
        defaultProps: {
          size: 'xs',
          visibilityToggleButtonProps: { 'aria-label': i18n.t('Toggle visibility') },
        },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': i18n.t('Dismiss') } } },
      Kbd: { styles: { root: { borderBottomWidth: 1, fontWeight: 500, padding: '0.05rem 0.3rem' } } },
    },
  });

/** The console's color tokens. Text colors meet WCAG AA (4.5:1) on every surface that they are used on. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: Object.fromEntries(
    Object.entries(connectionColors).map(([name, color]) => [`--gh-connection-${name}`, color]),
  ),
  light: {
    '--mantine-color-dimmed': '#5a6472',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-placeholder': '#6b7585',
    '--gh-chrome': '#f2f3f6',
    '--gh-surface': '#ffffff',
    '--gh-sunken': '#f7f8fa',
    '--gh-raised': '#ffffff',
    '--gh-hover': '#f3f4f8',
    '--gh-thumb': '#ffffff',
    '--gh-selected': '#ebebfb',
    '--gh-marked': '#f6f4ff',
    '--gh-line': '#e2e5ea',
    '--gh-line-strong': '#ccd2da',
    '--gh-text': '#1b1f25',
    '--gh-dim': '#5a6472',
    '--gh-accent': '#4b4cc0',
    '--gh-plot': '#4b4cc0',
    '--gh-danger': '#b3261e',
    '--gh-danger-solid': '#b3261e',
    '--gh-danger-fill': '#fdecea',
    '--gh-warning': '#8a5300',
    '--gh-warning-fill': '#fdf3dc',
    '--gh-success': '#1d7245',
    '--gh-success-fill': '#e6f5ec',
    '--gh-info': '#1a62a8',
    '--gh-info-fill': '#e7f1fb',
    '--gh-severity-1': '#8d96a3',
    '--gh-severity-2': '#d99a1f',
    '--gh-severity-3': '#e0702a',
    '--gh-severity-4': '#cf3339',
    '--gh-code-key': '#5b3fa8',
    '--gh-code-string': '#1d6b3f',
    '--gh-code-number': '#9a4a00',
    '--gh-code-constant': '#1a62a8',
  },
  dark: {
    '--mantine-color-body': '#171a1f',
    '--mantine-color-dimmed': '#9aa3b0',
    '--mantine-color-error': '#ff8f86',
    '--mantine-color-placeholder': '#8a93a1',
    '--gh-chrome': '#111317',
    '--gh-surface': '#171a1f',
    '--gh-sunken': '#13161a',
    '--gh-raised': '#1f2329',
    '--gh-hover': '#1e2228',
    '--gh-thumb': '#353c46',
    '--gh-selected': '#29294a',
    '--gh-marked': '#201f33',
    '--gh-line': '#323941',
    '--gh-line-strong': '#48515d',
    '--gh-text': '#e3e6eb',
    '--gh-dim': '#9aa3b0',
    '--gh-accent': '#a3a5f2',
    '--gh-plot': '#7375d8',
    '--gh-danger': '#ff8f86',
    '--gh-danger-solid': '#c4382f',
    '--gh-danger-fill': '#3a1d1c',
    '--gh-warning': '#eab85a',
    '--gh-warning-fill': '#33280f',
    '--gh-success': '#6cc894',
    '--gh-success-fill': '#14301f',
    '--gh-info': '#7bb7f0',
    '--gh-info-fill': '#14293d',
    '--gh-severity-1': '#77818f',
    '--gh-severity-2': '#d6a03a',
    '--gh-severity-3': '#e58345',
    '--gh-severity-4': '#ec5f62',
    '--gh-code-key': '#b6a2f5',
    '--gh-code-string': '#7fca9c',
    '--gh-code-number': '#e3a46a',
    '--gh-code-constant': '#7bb7f0',
  },
});
