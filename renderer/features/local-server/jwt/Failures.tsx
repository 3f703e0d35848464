import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';
import classes from '../LocalServer.module.css';
import { type Failure, failuresOf } from './failures.ts';

type Props = { settings: JwtSettings; onChoose: (failure: Failure) => void };

export function Failures({ settings, onChoose }: Props) {
  return (
    <div className={classes.buttons}>
      {failuresOf(settings).map((failure) => (
        <Button key={failure.id} variant="default" onClick={() => onChoose(failure)}>
          {i18n.t(failure.label)}
        </Button>
      ))}
    </div>
  );
}
