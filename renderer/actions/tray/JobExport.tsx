import { i18n } from '@lingui/core';
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import type { FileFormat } from '../../components/file/table-file.ts';
import { useConsole } from '../../console-context.ts';
import type { Job } from '../jobs/job.ts';
import classes from './JobRows.module.css';

/** Exports the results. */
export function JobExport({ job }: { job: Job }) {
  const { host } = useConsole();
  const [failed, setFailed] = useState(false);
  async function save(format: FileFormat) {
    setFailed(false);
    try {
      const { saveJob } = await import('./job-file.ts');
      await saveJob(job, format, host.shell !== undefined);
    } catch {
      setFailed(true);
    }
  }
  return (
    <>
      {failed && (
        <span role="alert" className={classes.counts}>
          {i18n.t("Couldn't write the file")}
        </span>
      )}
      <ButtonMenu
        position="top-end"
        button={
          <Button variant="subtle" leftSection={<IconDownload size={13} stroke={1.7} aria-hidden />}>
            {i18n.t('Export')}
          </Button>
        }
      >
        <Menu.Dropdown>
          <Menu.Item onClick={() => void save('csv')}>{i18n.t('CSV for spreadsheets')}</Menu.Item>
          <Menu.Item onClick={() => void save('raw-csv')}>{i18n.t('Raw CSV')}</Menu.Item>
          <Menu.Item onClick={() => void save('ndjson')}>NDJSON</Menu.Item>
        </Menu.Dropdown>
      </ButtonMenu>
    </>
  );
}
