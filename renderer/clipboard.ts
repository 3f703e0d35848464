/** Lets text be copied over plain http, where browsers offer no Clipboard API. */
export function provideClipboard(): void {
  if (navigator.clipboard) return;
  const writeText = async (text: string) => {
    const answer = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', answer, { capture: true, once: true });
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy');
  };
  Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
}
