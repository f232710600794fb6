import { FileWarning } from 'lucide-react';
import { useApp } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Hint } from './settings-group.tsx';

/** What the person's file of corrections changes, or why it was not taken; nothing when there is none. */
export function CorrectionsNote() {
  const t = useText();
  const { places, complaints } = useApp().corrections;
  if (complaints.length > 0) {
    return (
      <Banner tone="warn" icon={FileWarning} title={t('corrections.refused')}>
        {complaints
          .map(({ line, at, problem }) =>
            t('corrections.complaint', { line, at, why: t(`corrections.problems.${problem}`) }),
          )
          .join('; ')}
      </Banner>
    );
  }
  return places.length === 0 ? null : <Hint>{t('corrections.taken', { places: places.join(', ') })}</Hint>;
}
