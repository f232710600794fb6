import { Check } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { cloneSteps, type CloneStep } from '../../../../../shared/domain/voices/clone-draft.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useText } from '../../../../lib/text.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useSpeaking } from '../../speak-context.tsx';
import css from './clone-wizard.module.css';
import { DetailsStep } from './details-step.tsx';
import { ReadStep } from './read-step.tsx';
import { ReadyStep } from './ready-step.tsx';
import { RecordStep } from './record-step.tsx';
import { TranscriptStep } from './transcript-step.tsx';
import type { StepProps, StepView } from './use-clone.ts';

/** Five steps from a recording to a voice. Closing keeps the draft; opening it again continues. */
export function CloneWizard({
  clone,
  onClose,
  onUse,
  onEdit,
}: Pick<StepProps, 'clone' | 'onClose' | 'onUse' | 'onEdit'>) {
  const t = useText();
  const { side } = useSpeaking();
  const [looksAt, setLooksAt] = useState<CloneStep | null>(null);
  const reached = clone.draft?.step ?? 'record';
  const step = looksAt ?? reached;
  const close = () => {
    side.stop();
    onClose();
  };
  // One dialog for all steps: a new one for each would fade in again and move the focus to its close button.
  const [footerSlot, setFooterSlot] = useState<HTMLElement | null>(null);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.parentElement?.scrollTo({ top: 0 });
  }, [step]);
  const frame = ({ body, footer }: StepView) => (
    <>
      {body}
      {footerSlot !== null && createPortal(footer, footerSlot)}
    </>
  );
  const props: StepProps = {
    clone,
    frame,
    onClose: close,
    onUse,
    onEdit,
    onLook: (next) => {
      side.stop();
      setLooksAt(next);
    },
  };
  const Step = stepViews[step];
  return (
    <Dialog
      isOpen
      width="lg"
      title={t('voices.clone')}
      closeLabel={t('voices.wizard.close')}
      headerExtra={<Steps step={step} reached={reached} />}
      footer={<div ref={setFooterSlot} className={css['foot']} />}
      onClose={close}
    >
      <div ref={top} className={css['step']}>
        {clone.isLoading ? (
          <p className={css['hint']}>
            <Spinner /> {t('voices.wizard.loading')}
          </p>
        ) : (
          <Step {...props} />
        )}
      </div>
    </Dialog>
  );
}

const stepViews: Readonly<Record<CloneStep, (props: StepProps) => ReactNode>> = {
  record: RecordStep,
  transcript: TranscriptStep,
  details: DetailsStep,
  read: ReadStep,
  ready: ReadyStep,
};

function Steps({ step, reached }: { readonly step: CloneStep; readonly reached: CloneStep }) {
  const t = useText();
  const last = cloneSteps.indexOf(reached);
  return (
    <ol className={css['steps']}>
      {cloneSteps.map((one, index) => {
        const isDone = one !== step && index < last;
        return (
          <li
            key={one}
            aria-current={one === step ? 'step' : undefined}
            className={cx(one === step && css['current'], isDone && css['done'])}
          >
            <span aria-hidden className={css['number']}>
              {isDone ? <Check size={12} strokeWidth={3} /> : index + 1}
            </span>
            <span className={css['stepName']}>{t(`voices.wizard.steps.${one}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}
