/** How a key is written on screen. */
export function keyLabel(key: string): string {
  const labels: Record<string, string> = {
    ArrowDown: '↓',
    ArrowUp: '↑',
    Escape: 'Esc',
    Delete: 'Del',
    Backspace: '⌫',
    ' ': 'Space',
  };
  return labels[key] ?? key;
}
