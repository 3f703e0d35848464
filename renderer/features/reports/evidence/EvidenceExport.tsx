import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { mediaUris } from '../../../../shared/media-uris.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { saveFile } from '../../../components/file/file-sink.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import classes from './EvidenceExport.module.css';
import { evidenceArchive } from './evidence-archive.ts';
import { gatherEvidence } from './gather-evidence.ts';

/** Saves a report, its event and the context as an archive. */
export function EvidenceExport({ report }: { report: EventReportDetail }) {
  const { host } = useConsole();
  const server = useServer();
  const client = useQueryClient();
  const { log } = useTeam();
  const images = mediaUris(report.event_json.content).length;
  const [withMedia, setWithMedia] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const save = useMutation({
    mutationFn: () => {
      const name = `evidence-report-${report.id}.zip`;
      return saveFile(name, 'application/zip', host.shell !== undefined, async (write) => {
        running.current = new AbortController();
        const { signal } = running.current;
        const evidence = await gatherEvidence({ server, client, log, report, signal }, { withMedia });
        await write(await evidenceArchive([evidence], i18n.locale));
        return evidence.missing;
      });
    },
  });

  return (
    <div className={classes.export}>
      <ButtonWithIcon
        variant="default"
        size="compact-sm"
        icon={IconFileZip}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {i18n.t('Export evidence')}
      </ButtonWithIcon>
      {images > 0 && (
        <Checkbox
          size="xs"
          label={i18n.t('Include images')}
          checked={withMedia}
          disabled={save.isPending}
          onChange={(event) => setWithMedia(event.currentTarget.checked)}
        />
      )}
      <span className={classes.outcome} role="status">
        {save.error && i18n.t("Couldn't export evidence: {why}", { why: failureSentence(save.error) })}
        {save.data && [i18n.t('Evidence exported.'), ...save.data].join(' ')}
      </span>
    </div>
  );
}
