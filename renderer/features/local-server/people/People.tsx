import classes from '../LocalServer.module.css';
import { MakeUsers } from './MakeUsers.tsx';
import { SampleData } from './SampleData.tsx';
import { SignInLink } from './SignInLink.tsx';

/** Somebody to test with, ways in, and something to see. */
export function People() {
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <div className={classes.half}>
          <MakeUsers />
        </div>
        <div className={classes.half}>
          <SignInLink />
          <SampleData />
        </div>
      </div>
    </div>
  );
}
