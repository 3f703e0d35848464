import { i18n } from '@lingui/core';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { Hint } from './Hint.tsx';
import classes from './Warning.module.css';

/** Renders a warning icon beside a deceptive name. */
export function Warning({ reason }: { reason: string }) {
  return (
    <Hint label={reason}>
      <span className={classes.warning} role="img" aria-label={i18n.t('Suspicious: {reason}', { reason })}>
        <IconAlertTriangleFilled size={12} aria-hidden />
      </span>
    </Hint>
  );
}
