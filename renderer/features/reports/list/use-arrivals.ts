import { useEffect, useRef } from 'react';

/** Loads new reports if no report is open that they could displace. After a failure, waits for further reports. */
export function useArrivals(arrived: number, isNothingOpen: boolean, load: () => unknown): void {
  const loaded = useRef(0);
  useEffect(() => {
    if (arrived === 0) loaded.current = 0;
    if (!isNothingOpen || arrived === loaded.current) return;
    loaded.current = arrived;
    load();
  });
}
