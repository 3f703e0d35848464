import { Skeleton } from '@mantine/core';
import { LoadingNote } from '../LoadingNote.tsx';
import classes from './ListScreen.module.css';

/** In the place of a table that is on its way. */
export function ListSkeleton({ text }: { text: string }) {
  return (
    <div className={classes.skeleton}>
      {[58, 71, 46, 64, 52, 69, 49, 61].map((width) => (
        <div key={width} className={classes.skeletonRow} aria-hidden>
          <Skeleton height={11} width={`${width}%`} />
        </div>
      ))}
      <LoadingNote text={text} />
    </div>
  );
}
