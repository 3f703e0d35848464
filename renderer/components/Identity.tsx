import { clipped } from '../words/beginning.ts';
import { HazardText } from './HazardText.tsx';
import classes from './Identity.module.css';
import { identifierWarning, nameWarning } from './text-hazards.ts';
import { Warning } from './Warning.tsx';

/** So much of a name is enough to know it by; whoever gives one can give it thousands of characters. */
export const mostOfName = 256;

/** Who or what it is: its name, where it has one, its whole identifier, and what is odd about either. */
export function Identity({ id, name }: { id: string; name?: string | null | undefined }) {
  const warning = identifierWarning(id) ?? (name ? nameWarning(name) : undefined);
  return (
    <>
      {name && (
        <span className={classes.name}>
          <HazardText text={clipped(name, mostOfName)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={id} />
      </span>
      {warning && <Warning reason={warning} />}
    </>
  );
}

/** A name that a person chose, in a place that can cut it off: what is odd about it stands before it. */
export function GivenName({ name }: { name: string }) {
  const warning = nameWarning(name);
  return (
    <>
      {warning && <Warning reason={warning} />} <HazardText text={name} />
    </>
  );
}
