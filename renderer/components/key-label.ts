/** How a key is written on screen. */
import { i18n } from '@lingui/core';

export function keyLabel(key: string): string {
  const labels: Record<string, string> = {
    ArrowDown: '↓',
    ArrowUp: '↑',
    Control: i18n.t('Ctrl'),
    Escape: i18n.t('Esc'),
    Delete: i18n.t('Del'),
    Backspace: '⌫',
    ' ': i18n.t('Space bar'),
  };
  return labels[key] ?? key;
}
