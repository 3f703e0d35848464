import { useRef, useState } from 'react';
import { useServer } from '../console-context.ts';

/**
 * Pictures that a person chose for a panel's fields, by the field's name. They go to the server when the panel is
 * confirmed: of one that is cancelled nothing stays there.
 */
export function useChosenPictures() {
  const server = useServer();
  const [chosen, setChosen] = useState<ReadonlyMap<string, File>>(new Map());
  /** Where those are that were put there for an attempt that failed. */
  const addresses = useRef(new WeakMap<File, string>());
  return {
    of: (field: string) => chosen.get(field),
    choose(field: string, picture: File | undefined) {
      const next = new Map(chosen);
      if (picture) next.set(field, picture);
      else next.delete(field);
      setChosen(next);
    },
    /** Puts them on the server, each once, and gives their addresses. Throws `ConnectionFailure`. */
    async put(): Promise<Record<string, string>> {
      const put: Record<string, string> = {};
      for (const [field, picture] of chosen) {
        const address = addresses.current.get(picture) ?? (await server.upload(picture));
        addresses.current.set(picture, address);
        put[field] = address;
      }
      return put;
    },
  };
}
