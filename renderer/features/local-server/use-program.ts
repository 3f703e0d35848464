import { useContext, useMemo } from 'react';
import { useConsole } from '../../console-context.ts';
import { type LocalProgram, programOverBridge, programOverHttp } from '../../transport/local-host.ts';
import { Bench } from './bench.ts';

/** The program that runs the local server; undefined where it can't be asked. */
export function useProgram(): LocalProgram | undefined {
  const { host } = useConsole();
  const bench = useContext(Bench);
  return useMemo(() => {
    if (host.shell && window.gatehouse) return programOverBridge(window.gatehouse);
    return bench && programOverHttp(bench);
  }, [host, bench]);
}
