import { CircleSlash } from 'lucide-react';
import { useFormats, useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { AddingState } from './adding.ts';
import css from './adding-notice.module.css';

interface AddingNoticeProps {
  readonly count: AddingState['addingCount'];
  readonly step: AddingState['addingStep'];
  readonly stopped: AddingState['stoppedAdding'];
  readonly onStop: () => void;
  readonly onHideStopped: () => void;
}

export function AddingNotice({ count, step, stopped, onStop, onHideStopped }: AddingNoticeProps) {
  const t = useText();
  const formats = useFormats();
  const isAdding = count > 0 || step !== null;
  return (
    <>
      <div className={css['adding']} hidden={!isAdding}>
        {/* Announced once: a screen reader would read changing numbers endlessly. */}
        <output className="row gap-8 if-any">
          {isAdding && (
            <>
              <Spinner /> {step === null ? t('transcribe.adding', { count }) : t('transcribe.addingRows')}
            </>
          )}
        </output>
        {step !== null && step.totalCount > 0 && (
          <>
            <ProgressBar
              className={css['bar']}
              label={t('transcribe.addingRows')}
              progress={{ tag: 'determinate', fraction: step.doneCount / step.totalCount }}
            />
            <span className="small digits">
              {t('transcribe.addingOf', {
                done: formats.number(step.doneCount),
                total: formats.number(step.totalCount),
              })}
            </span>
            <Button size="sm" variant="ghost" onPress={onStop}>
              {t('transcribe.stopAdding')}
            </Button>
          </>
        )}
      </div>
      {stopped && (
        <Banner
          icon={CircleSlash}
          title={t('transcribe.addingStopped')}
          onDismiss={onHideStopped}
          dismissLabel={t('common.dismiss')}
        >
          {stopped.addedCount === 0
            ? t('transcribe.nothingAdded')
            : t('transcribe.partAdded', {
                added: formats.number(stopped.addedCount),
                left: formats.number(stopped.leftCount),
              })}
        </Banner>
      )}
    </>
  );
}
