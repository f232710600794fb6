import { Pause, Play, RotateCw, Share, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useQueue } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { ManyExports } from '../../../parts/exports/many-exports.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { isPausable } from '../model/queue-order.ts';
import { isCancellable, isRemovable } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from './selection-bar.module.css';

/** Actions for the selected rows. Each action skips the rows it does not apply to. */
export function SelectionBar({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const { store, removeRows, cancelRows } = useTranscribe();
  const selectedIds = useTranscribeState((state) => state.selectedIds);
  const selected = jobs.filter(({ id }) => selectedIds.has(id));
  const [isExporting, setExporting] = useState(false);
  const { isHeld } = useQueue();
  // What was wanted of an earlier selection does not open by itself for the next one.
  if (isExporting && selected.length === 0) setExporting(false);
  if (selected.length === 0) return null;
  const ids = (fits: (job: JobView) => boolean) => selected.filter(fits).map(({ id }) => id);
  const pausable = isHeld ? [] : ids(isPausable);
  const paused = ids(({ state }) => state.tag === 'paused');
  const failed = ids(({ state }) => state.tag === 'failed');
  const open = ids(isCancellable);
  const removable = ids(isRemovable);
  const transcripts = selected.flatMap(({ name, kind, state }) =>
    kind === 'transcribe' && state.tag === 'done' && state.transcriptId !== undefined
      ? [{ id: state.transcriptId, title: baseName(name) }]
      : [],
  );
  return (
    <Toolbar className={css['bar'] ?? ''} aria-label={t('transcribe.selection.label')}>
      <output className={css['count']}>{t('transcribe.selection.count', { count: selected.length })}</output>
      <div className={css['actions']}>
        {pausable.length > 0 && (
          <Button size="sm" icon={Pause} onPress={() => void store.actOn(pausable, 'pause')}>
            {t('transcribe.actions.pause')}
          </Button>
        )}
        {paused.length > 0 && (
          <Button size="sm" icon={Play} onPress={() => void store.actOn(paused, 'go-on')}>
            {t('transcribe.actions.resume')}
          </Button>
        )}
        {failed.length > 0 && (
          <Button size="sm" icon={RotateCw} onPress={() => void store.actOn(failed, 'retry')}>
            {t('common.retry')}
          </Button>
        )}
        {open.length > 0 && (
          <Button
            size="sm"
            icon={X}
            onPress={() => {
              cancelRows(open);
            }}
          >
            {t('transcribe.actions.cancel')}
          </Button>
        )}
        {transcripts.length > 0 && (
          <Button
            size="sm"
            icon={Share}
            onPress={() => {
              setExporting(true);
            }}
          >
            {t('transcribe.selection.export')}
          </Button>
        )}
        {isExporting && (
          <ManyExports
            transcripts={transcripts}
            onClose={() => {
              setExporting(false);
            }}
          />
        )}
        {removable.length > 0 && (
          <Button
            size="sm"
            icon={Trash2}
            onPress={() => {
              removeRows(removable);
            }}
          >
            {t('common.remove')}
          </Button>
        )}
      </div>
      <IconButton
        size="sm"
        icon={X}
        className={css['clear']}
        label={t('transcribe.selection.clear')}
        onPress={() => {
          store.select(new Set());
        }}
      />
    </Toolbar>
  );
}
