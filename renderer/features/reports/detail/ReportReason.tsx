import { i18n } from '@lingui/core';
import { FoldedText } from '../../../components/FoldedText.tsx';
import { VisibleText } from '../../../components/HazardText.tsx';
import classes from './ReportDetail.module.css';

/** What a reporter said, or that they said nothing. */
export function ReportReason({ reason }: { reason: string | null }) {
  if (!reason) return <span className={classes.none}>{i18n.t('No reason given')}</span>;
  return (
    <FoldedText text={reason} lines={5}>
      {(shown) => (
        <div className={classes.reason} dir="auto">
          <VisibleText text={shown} />
        </div>
      )}
    </FoldedText>
  );
}
