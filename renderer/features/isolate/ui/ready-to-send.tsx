import { Blend, Trash2, Wallet } from 'lucide-react';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { batchLeftMs } from '../../../../shared/domain/jobs/time-left.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useQueue, useSettings } from '../../../bridge/live-state.tsx';
import { useCommands } from '../../../lib/commands.tsx';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import css from '../isolate-screen.module.css';
import { useIsolate } from '../isolate-context.ts';
import { useCostSource, useCostWords } from './use-cost-words.ts';

/**
 * Dropping a larger amount does not send it: the user first sees the files with their estimated cost and then confirms.
 */
export function ReadyToSend({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const costSource = useCostSource();
  const store = useIsolate();
  const showUndo = useUndoNotice();
  const { mode } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  const resting = jobs.filter(({ state }) => state.tag === 'paused');
  const ids = resting.map(({ id }) => id);
  const start = () => void store.actOnAll(ids, 'go-on');
  useCommands({ 'isolate.start': ids.length > 0 && start });
  if (ids.length === 0) return null;
  const lengthMs = resting.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const asWaiting = resting.map((job): JobView => ({ ...job, state: { tag: 'waiting', placeInQueue: null } }));
  // Practice mode runs at the speed of this computer, so its throughput predicts nothing for the real service.
  const leftMs = modeOf(mode).isFree ? null : batchLeftMs(asWaiting, pace, uploadsAtOnce, 0);
  const facts = [
    ...(lengthMs > 0 ? [formats.duration(lengthMs)] : []),
    costWords(resting),
    ...(leftMs === null
      ? []
      : [t('isolate.ready.time', { time: formats.duration(Math.ceil(leftMs / 60_000) * 60_000) })]),
  ];
  const remove = async () => {
    // Nothing of these files was sent yet, so cancelling removes them for good, here and at the service.
    if ((await store.actOnAll(ids, 'cancel')) === null) return;
    const hidden = await store.hide(ids);
    if (hidden === null) return;
    showUndo({
      text: t('isolate.ready.removed', { count: hidden.jobIds.length }),
      shownForMs: hidden.undoMs,
      undo: () => void store.unhide(hidden.jobIds),
      until: onceChanged(store, (state) => state.hidden.includes(hidden)),
    });
  };
  return (
    <div className={css['ready']}>
      <Banner
        tone="accent"
        icon={Wallet}
        title={t('isolate.ready.title', { count: resting.length, facts: facts.join(' · ') })}
        actions={
          <>
            <Button size="sm" variant="ghost" icon={Trash2} onPress={() => void remove()}>
              {t('isolate.ready.remove')}
            </Button>
            <Button size="sm" variant="primary" icon={Blend} onPress={start}>
              {t('isolate.ready.start', { count: resting.length })}
            </Button>
          </>
        }
      >
        {[t(modeOf(mode).origin === 'local' ? 'isolate.here.ready' : 'isolate.ready.text'), costSource]
          .filter(Boolean)
          .join(' ')}
      </Banner>
    </div>
  );
}
