/** Polyfills `navigator.clipboard.writeText` over plain http, where browsers have no Clipboard API. */
export function provideClipboard(): void {
  if (navigator.clipboard) return;
  const writeText = async (text: string) => {
    const onCopy = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', onCopy, { capture: true, once: true });
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy');
  };
  Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
}
