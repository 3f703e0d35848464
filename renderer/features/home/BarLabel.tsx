import { Avatar } from '../../components/Avatar.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import classes from './Home.module.css';

/** Renders a user or a room in a bar chart. */
export const BarLabel = ({ id, name }: { id: string; name: string | null | undefined }) => (
  <>
    <span className={classes.face}>
      <Avatar id={id} name={name} size={16} />
    </span>
    <HazardText text={name || id} />
  </>
);
