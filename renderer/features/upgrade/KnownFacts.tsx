import { i18n } from '@lingui/core';
import { Anchor } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBandage,
  IconExternalLink,
  IconInfoTriangle,
  IconShieldCheck,
} from '@tabler/icons-react';
import type { KnownFact } from '../../../shared/api/upgrade-plan.ts';
import { fromSource } from '../../../shared/upgrade/synapse/known.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { Disclosure } from '../../components/Disclosure.tsx';
import { useConsole } from '../../console-context.ts';
import classes from './KnownFacts.module.css';
import sectionClasses from './PlanSectionView.module.css';

const icons: Record<KnownFact['kind'], typeof IconBandage> = {
  patch: IconBandage,
  fault: IconInfoTriangle,
  rollback: IconArrowBackUp,
  security: IconShieldCheck,
};

/** A direct upgrade passes many security releases. */
const maxSecurityFixes = 3;

/** Lists facts about a version from Synapse's source and release notes, beyond the plan's rules. */
export function KnownFacts({ facts }: { facts: readonly KnownFact[] }) {
  const security = facts.filter(({ kind }) => kind === 'security');
  const folded = security.length > maxSecurityFixes ? security : [];
  return (
    <div className={sectionClasses.group}>
      <h3 className={sectionClasses.name}>{fromSource(i18n.t)}</h3>
      <FactList facts={facts.filter((fact) => !folded.includes(fact))} />
      {folded.length > 0 && (
        <div className={classes.folded}>
          <Disclosure
            label={i18n.t('{count, plural, one {# security fix} other {# security fixes}} on the way', {
              count: folded.length,
            })}
          >
            <FactList facts={folded} />
          </Disclosure>
        </div>
      )}
    </div>
  );
}

function FactList({ facts }: { facts: readonly KnownFact[] }) {
  const { host } = useConsole();
  return (
    <ul className={classes.facts}>
      {facts.map(({ kind, release, text, check, source }) => {
        const Icon = icons[kind];
        return (
          <li key={text} className={classes.fact} data-kind={kind}>
            <Icon size={15} stroke={1.7} aria-hidden />
            <div className={classes.text}>
              <span>
                {text}{' '}
                <Anchor
                  href={source}
                  target="_blank"
                  rel="noreferrer"
                  className={classes.source}
                  aria-label={i18n.t('Source: v{release}', { release })}
                  onClick={(event) => {
                    event.preventDefault();
                    void host.openExternal(source);
                  }}
                >
                  <IconExternalLink size={13} stroke={1.7} aria-hidden />
                </Anchor>
              </span>
              {check !== null && <CopyText command text={check} label={text} />}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
