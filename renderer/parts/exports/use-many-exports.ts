import { useEffect, useRef, useState } from 'react';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { ManyExportsOptions } from '../../bridge/types.ts';

export interface FailedExport {
  readonly transcriptId: string;
  readonly title: string | null;
  readonly format: ExportFormat;
  readonly failure: Failure;
}

/** `failure` says why nothing could start. */
export interface ManyRun {
  readonly state: 'running' | 'ended' | 'stopped';
  readonly done: number;
  readonly total: number;
  readonly name: string;
  readonly fileCount: number;
  readonly skippedCount: number;
  readonly failures: readonly FailedExport[];
  readonly failure: Failure | null;
  readonly revealToken: string | null;
}

const begun: ManyRun = {
  state: 'running',
  done: 0,
  total: 0,
  name: '',
  fileCount: 0,
  skippedCount: 0,
  failures: [],
  failure: null,
  revealToken: null,
};

type Wanted = Omit<ManyExportsOptions, 'options'>;

/** Runs one export after another, into a folder that is asked for when there is none yet; a second run repeats only what failed in the first. */
export function useManyExports() {
  const studio = useStudio();
  const { exportChoices, exportFolderName } = useSettings();
  const [run, setRun] = useState<ManyRun | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const chooseFolder = () => studio.request('exports.chooseFolder', {});

  const begin = async (wanted: Wanted): Promise<void> => {
    if (exportFolderName === null) {
      const chosen = await chooseFolder();
      if (!chosen.ok || !chosen.value.isChosen) return;
    }
    setRun(begun);
    const opened = await studio.open('exports.many', { ...wanted, options: exportChoices });
    if (!opened.ok) {
      setRun({ ...begun, state: 'ended', failure: opened.error });
      return;
    }
    const stream = opened.value;
    stop.current = stream.cancel;
    for await (const message of stream.incoming) {
      if (message.kind === 'progress')
        setRun({ ...begun, done: message.done, total: message.total, name: message.title });
      else setRun({ ...begun, ...message, state: 'ended' });
    }
    stop.current = null;
    const ended = await stream.ended;
    if (!ended.ok)
      setRun(
        ended.error.code === 'stream_cancelled'
          ? { ...begun, state: 'stopped' }
          : { ...begun, state: 'ended', failure: ended.error },
      );
  };

  return {
    run,
    begin,
    cancel: () => stop.current?.(),
    retry(how: Omit<Wanted, 'items'>): Promise<void> {
      const formats = new Map<string, ExportFormat[]>();
      for (const { transcriptId, format } of run?.failures ?? [])
        formats.set(transcriptId, [...(formats.get(transcriptId) ?? []), format]);
      const items = [...formats].map(([transcriptId, wanted]) => ({ transcriptId, formats: wanted }));
      return begin({ ...how, items });
    },
    chooseFolder,
    reveal: (revealToken: string) => studio.request('exports.reveal', { revealToken }),
  };
}
