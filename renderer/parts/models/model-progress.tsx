import type { LocalModelView } from '../../bridge/types.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import css from './model-progress.module.css';

/** How far a model is here, how fast it comes and how long it still takes. */
export function ModelProgress({ model }: { readonly model: LocalModelView }) {
  const t = useText();
  const formats = useFormats();
  const { bytes, totalBytes, bytesPerSecond, state } = model;
  const fraction = totalBytes === 0 ? 0 : bytes / totalBytes;
  const leftMs = bytesPerSecond === null ? null : ((totalBytes - bytes) / bytesPerSecond) * 1000;
  const title = t(`models.states.${state}`);
  return (
    <div className={css['progress']}>
      <div className={css['line']}>
        <span>{title}</span>
        {state !== 'checking' && <span className={css['number']}>{formats.percent(fraction)}</span>}
      </div>
      <ProgressBar
        label={title}
        progress={
          state === 'checking'
            ? { tag: 'indeterminate' }
            : { tag: state === 'partial' ? 'paused' : 'determinate', fraction }
        }
      />
      <div className={css['line']}>
        <span className={css['number']}>
          {t('models.came', { done: formats.bytes(bytes), total: formats.bytes(totalBytes) })}
          {bytesPerSecond !== null && ` · ${t('models.speed', { size: formats.bytes(bytesPerSecond) })}`}
        </span>
        {leftMs !== null && state === 'downloading' && (
          <span className={css['number']}>{t('models.left', { time: formats.duration(Math.max(1000, leftMs)) })}</span>
        )}
      </div>
    </div>
  );
}
