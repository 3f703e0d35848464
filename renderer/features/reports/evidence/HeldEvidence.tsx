import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button, Modal } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import {
  type HeldEvidence as Held,
  type ReportRef,
  releaseEvidence,
} from '../../../../shared/team/evidence.ts';
import { keptUntilIn } from '../../../actions/evidence/run-retention.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { saveFile } from '../../../components/file/file-sink.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { noticesOf } from '../../../components/notices.ts';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { useRoleLimit } from '../../../team/use-role.ts';
import { useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { mediumTimeFormat } from '../../../words/format.ts';
import classes from './HeldEvidence.module.css';
import { heldText } from './use-hold.ts';

const EvidenceDialog = lazy(async () => ({ default: (await import('./EvidenceDialog.tsx')).EvidenceDialog }));

type Props = {
  evidence: readonly Held[];
  /** All reports of the case, as far as they're known. */
  ofCase?: readonly ReportRef[];
  /** Outside of a case. */
  withSubject?: boolean;
};

/** Evidence that the team holds, with the moderator, the retention and actions. */
export function HeldEvidence({ evidence, ofCase = [], withSubject = false }: Props) {
  if (evidence.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={i18n.t('Held evidence')}>
      {evidence.map((held) => (
        <Row key={held.key} held={held} ofCase={ofCase} withSubject={withSubject} />
      ))}
    </ul>
  );
}

function Row({
  held,
  ofCase,
  withSubject,
}: { held: Held } & Required<Pick<Props, 'ofCase' | 'withSubject'>>) {
  const server = useServer();
  const [shown, setShown] = useState<'content' | 'release'>();
  const save = useExport(held);
  const by = shortId(held.by, serverName(server.connection));
  const close = () => setShown(undefined);
  const releaseLimit = useRoleLimit('moderator');
  return (
    <li className={classes.row}>
      <IconArchive size={15} stroke={1.7} aria-hidden />
      <span className={classes.what}>
        {withSubject && <CaseChip held={held} />}
        <span>
          <Trans
            id="Evidence held by {by} {time}: {what}"
            values={{
              by: <HazardText text={by} />,
              time: <RelativeTime timestamp={held.at} long />,
              what: heldText({ messages: held.events.length, media: held.media }),
            }}
          />
        </span>
        <span className={classes.dim}>
          <KeptUntil held={held} ofCase={ofCase} isCaseKnown={!withSubject} />
        </span>
      </span>
      <span className={classes.buttons}>
        <Button variant="default" size="compact-xs" onClick={() => setShown('content')}>
          {i18n.t('Open')}
        </Button>
        <Button variant="default" size="compact-xs" loading={save.isPending} onClick={() => save.mutate()}>
          {i18n.t('Export')}
        </Button>
        {releaseLimit === undefined && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setShown('release')}>
            {i18n.t('Release')}
          </Button>
        )}
      </span>
      {shown === 'content' && (
        <Suspense>
          <EvidenceDialog held={held} onClose={close} />
        </Suspense>
      )}
      <Modal opened={shown === 'release'} onClose={close} title={i18n.t('Release evidence?')} size="md">
        <ReleaseForm held={held} onClose={close} />
      </Modal>
    </li>
  );
}

function CaseChip({ held: { case: subject } }: { held: Held }) {
  if (subject.kind === 'user') return <UserChip kind={i18n.t('Case')} id={subject.user_id} />;
  return <RoomChip kind={i18n.t('Case')} id={subject.room_id} />;
}

type KeptProps = { held: Held; ofCase: readonly ReportRef[]; isCaseKnown: boolean };

function KeptUntil({ held, ofCase, isCaseKnown }: KeptProps) {
  const team = useTeam();
  const until = keptUntilIn(team, held, ofCase);
  if (until === 'released') return i18n.t('Kept until released');
  if (until === 'open') return i18n.t('Kept while the case is open');
  const time = mediumTimeFormat().format(until);
  if (until <= Date.now()) return i18n.t('Due for removal since {time}', { time });
  return isCaseKnown ? i18n.t('Kept until {time}', { time }) : i18n.t('Kept at least until {time}', { time });
}

/** Saves held evidence as an archive. */
function useExport(held: Held) {
  const server = useServer();
  const { host } = useConsole();
  const { log } = useTeam();
  return useMutation({
    mutationFn: () => {
      const name = `evidence-${new Date(held.at).toISOString().slice(0, 10)}-report-${held.reports[0]}.zip`;
      return saveFile(name, 'application/zip', host.shell !== undefined, async (write) => {
        const { gatherHeld } = await import('./gather-evidence.ts');
        const { evidenceArchive } = await import('./evidence-archive.ts');
        await write(await evidenceArchive(await gatherHeld({ server, log }, held), i18n.locale));
        return true;
      });
    },
    onSuccess: (isSaved) => isSaved && noticesOf(server).show({ text: i18n.t('Evidence exported.') }),
    onError: (error) =>
      noticesOf(server).show({
        text: i18n.t("Couldn't export evidence: {why}", { why: failureSentence(error) }),
        isFailure: true,
      }),
  });
}

function ReleaseForm({ held, onClose }: { held: Held; onClose: () => void }) {
  const server = useServer();
  const what = heldText({ messages: held.events.length, media: held.media });
  const release = useMutation({
    mutationFn: async () =>
      (await import('../../../actions/evidence/hold-evidence.ts')).deleteEvidence(
        server,
        held,
        releaseEvidence,
      ),
    onSuccess: () => {
      onClose();
      noticesOf(server).show({ text: i18n.t('Evidence released: {what}', { what }) });
    },
  });
  return (
    <ConfirmForm
      label={i18n.t('Release evidence')}
      failure={release.error ? failureSentence(release.error) : undefined}
      busy={release.isPending}
      onSubmit={() => release.mutate()}
      onCancel={onClose}
    >
      <p className={classes.consequences}>
        {i18n.t(
          "Deletes the held content of {what} from this server for the whole team. This can't be undone.",
          {
            what,
          },
        )}
      </p>
    </ConfirmForm>
  );
}
