import { i18n } from '@lingui/core';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { HeldEvidence } from '../../../../shared/team/evidence.ts';
import type { EvidenceFile, EvidenceMedium } from '../../../api/evidence-file.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { EventLookupContext } from '../../../components/event/EventReference.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { RemoteImage } from '../../../components/event/RemoteImage.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { byteSize } from '../../../words/format.ts';
import { FindingList } from '../detail/EventIntegrity.tsx';
import { hashFinding, signatureFinding } from '../detail/integrity-findings.ts';
import { Versions } from '../detail/Versions.tsx';
import { openEvidence } from './gather-evidence.ts';
import classes from './HeldEvidence.module.css';

/** Shows held messages as safely as reported ones. */
export function EvidenceDialog({ held, onClose }: { held: HeldEvidence; onClose: () => void }) {
  const server = useServer();
  const query = useQuery({
    queryKey: [server.id, 'held-evidence', held.key],
    queryFn: ({ signal }) => openEvidence(server, held, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  return (
    <Modal opened onClose={onClose} size="xl" title={i18n.t('Held evidence')}>
      <Loaded
        query={query}
        loading={i18n.t('Loading evidence…')}
        lines={8}
        notFound={i18n.t('The file with the evidence was deleted from the server.')}
      >
        {({ file, isUnchanged }) => (
          <div className={classes.events}>
            <FindingList findings={[fileFinding(isUnchanged)]} />
            {file.events.map((event) => (
              <HeldEvent
                key={event.report.id}
                event={event}
                media={file.media.filter(({ eventId }) => eventId === event.report.event_id)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Modal>
  );
}

function fileFinding(isUnchanged: boolean | undefined) {
  if (isUnchanged === undefined)
    return { verdict: 'unknown' as const, sentence: i18n.t("Can't check if the file is unchanged.") };
  return isUnchanged
    ? { verdict: 'holds' as const, sentence: i18n.t('Unchanged since it was held.') }
    : { verdict: 'differs' as const, sentence: i18n.t('The file was changed after it was held.') };
}

type EventProps = { event: EvidenceFile['events'][number]; media: readonly EvidenceMedium[] };

function HeldEvent({ event, media }: EventProps) {
  const { report, versions, context, verification, missing } = event;
  const sent = report.event_json.origin_server_ts;
  const known = useMemo(() => {
    const byId = new Map(context.map((each) => [each.event_id, each]));
    return { nameOf: () => undefined, eventOf: (id: string) => byId.get(id), removerOf: () => undefined };
  }, [context]);
  return (
    <EventLookupContext value={known}>
      <section className={classes.event} aria-label={i18n.t('Report {id}', { id: report.id })}>
        <div className={classes.facts}>
          {report.sender !== null && <UserChip kind={i18n.t('Sender')} id={report.sender} />}
          {typeof sent === 'number' && <RelativeTime timestamp={sent} long />}
          <RoomChip kind={i18n.t('Room')} id={report.room_id} />
        </div>
        <div className={classes.message}>
          <EventView event={report.event_json} />
        </div>
        {verification && (
          <FindingList
            findings={[hashFinding(verification.hash), signatureFinding(verification.signature)]}
          />
        )}
        <p className={classes.facts}>
          <span>{i18n.t('Reported by')}</span>
          <UserChip kind={i18n.t('Reporter')} id={report.user_id} />
          {report.reason && <HazardText text={report.reason} />}
        </p>
        {versions.length > 1 && <Versions versions={versions} reportedAt={report.received_ts} isComplete />}
        {media.map((medium) => (
          <Medium key={medium.uri} medium={medium} />
        ))}
        {missing.map((sentence) => (
          <p key={sentence} className={classes.facts}>
            <HazardText text={sentence} />
          </p>
        ))}
        {context.length > 0 && (
          <Disclosure label={i18n.t('Context')}>
            <ol className={classes.context} aria-label={i18n.t('Message context')}>
              {context.map((each, index) => (
                <ConversationEvent
                  key={typeof each.event_id === 'string' ? each.event_id : index}
                  event={each}
                  isReported={each.event_id === report.event_id}
                  continues={false}
                />
              ))}
            </ol>
          </Disclosure>
        )}
        <Disclosure label={i18n.t('Event source')}>
          <JsonViewer value={report.event_json} label="event_json" />
        </Disclosure>
      </section>
    </EventLookupContext>
  );
}

/** A file's hash, and its copy if the team keeps one. */
function Medium({ medium: { uri, sha256, size, copy } }: { medium: EvidenceMedium }) {
  return (
    <div>
      <p className={classes.facts}>
        <HazardText text={uri} />
        {size && byteSize(size)}
      </p>
      <p className={classes.hash}>{sha256 ? `SHA-256 ${sha256}` : i18n.t('Hash unknown')}</p>
      {copy && <RemoteImage uri={copy} name={uri} quarantined />}
    </div>
  );
}
