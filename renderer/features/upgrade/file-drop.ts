import { useEffect, useRef, useState } from 'react';

/**
 * Takes files that are dropped anywhere on the page, for as long as the component is on screen; a page that
 * doesn't would open them in its own place.
 *
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });

  useEffect(() => {
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

    function onDragOver(event: DragEvent) {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    }
    // Leaving for another element of the page isn't leaving the page.
    function onDragLeave(event: DragEvent) {
      if (event.relatedTarget === null) setIsOver(false);
    }
    function onDrop(event: DragEvent) {
      setIsOver(false);
      if (!bringsFiles(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    }

    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);

  return isOver;
}
