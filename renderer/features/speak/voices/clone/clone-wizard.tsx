import { Check, ArrowRight, Info, AudioLines, CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, useId } from 'react';
import { createPortal } from 'react-dom';
import { modeOf } from '../../../../../shared/domain/modes.ts';
import type { SpeechVoice } from '../../../../../shared/domain/speech/voices.ts';
import { cloneSteps, type CloneStep, judgeScore } from '../../../../../shared/domain/voices/clone-draft.ts';
import {
  findDetailTroubles,
  noDetails,
  cloneRules,
  isTranscriptFit,
} from '../../../../../shared/domain/voices/clone-rules.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { cx } from '../../../../lib/class-names.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useSpeaking } from '../../speak-context.tsx';
import { ListenButton } from '../../ui/play-button.tsx';
import { Orb } from '../../ui/voice-orb.tsx';
import { sampleFor, useIsHeard } from '../../use-preview.ts';
import { DetailsForm } from '../details-form.tsx';
import { Sending, CloneFailure, useWait, type StepProps } from './use-clone.tsx';
import css from './clone-wizard.module.css';
import { ReadStep, RecordStep } from './record-step.tsx';
import { KeptBars, NoMicrophone, PlayKept, useKept } from './recorder.tsx';

/** What practice mode writes instead of the words it does not recognise. */
const placeholder = /\((?:speech|речь|nutq), \d+ [sс]\)/u;

/** Five steps from a recording to a voice. Closing keeps the draft; opening it again continues. */
export function CloneWizard(props: Pick<StepProps, 'clone' | 'onClose' | 'onUse' | 'onEdit'>) {
  const { clone, onClose, onUse, onEdit } = props;
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
  const frame: StepProps['frame'] = (body, footer) => (
    <>
      {body}
      {footerSlot !== null && createPortal(footer, footerSlot)}
    </>
  );
  const look = (next: CloneStep | null) => {
    side.stop();
    setLooksAt(next);
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
          <p className="caption subtle">
            <Spinner /> {t('voices.wizard.loading')}
          </p>
        ) : (
          <Step clone={clone} frame={frame} onLook={look} onClose={close} onUse={onUse} onEdit={onEdit} />
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

function DetailsStep({ clone, frame, onLook }: StepProps) {
  const t = useText();
  const id = useId();
  const { draft } = clone;
  const details = draft?.details ?? noDetails;
  const [wasTried, setWasTried] = useState(false);
  const waitMs = useWait(clone);
  const hasConsent = draft?.hasConsent === true;
  const isReading = draft?.step === 'read' && draft.challenge !== null;
  const ask = async () => {
    if (findDetailTroubles(details).length > 0) {
      setWasTried(true);
      return;
    }
    const sent = await clone.send('challenge');
    if (sent?.step === 'read') onLook(null);
  };
  return frame(
    <>
      <DetailsForm
        details={details}
        showsTroubles={wasTried}
        onChange={(changed) => clone.change({ details: changed })}
      />
      <div className={css['consent']}>
        <input
          id={id}
          type="checkbox"
          checked={hasConsent}
          onChange={({ target }) => clone.change({ hasConsent: target.checked })}
        />
        <div>
          <label htmlFor={id} className={css['label']}>
            {t('voices.wizard.consent')}
          </label>
          <p className="caption subtle">{t('voices.wizard.consentHint')}</p>
        </div>
      </div>
      <div className={css['underText']}>
        <span />
        <DraftSaved saving={clone.saving} />
      </div>
      {clone.capabilities?.eligible === false && draft?.failure === null && (
        <Banner icon={Info} title={t('voices.wizard.free')}>
          {t('voices.wizard.plan')}
        </Banner>
      )}
      <NoMicrophone text="absentNext" />
      <CloneFailure clone={clone} />
    </>,

    <>
      <Button variant="ghost" isDisabled={clone.sending !== null} onPress={() => onLook('transcript')}>
        {t('voices.wizard.back')}
      </Button>
      <span className={css['footNote']}>
        {clone.sending !== null ? (
          <Sending clone={clone} />
        ) : (
          t(hasConsent && details.name.trim() !== '' ? 'voices.wizard.nextRead' : 'voices.wizard.needsDetails')
        )}
      </span>
      <Button
        variant={isReading ? 'default' : 'primary'}
        {...(!isReading && { iconAfter: ArrowRight })}
        isLoading={clone.sending !== null}
        isDisabled={!hasConsent || waitMs > 0}
        onPress={() => void ask()}
      >
        {t(draft?.step === 'read' ? 'voices.wizard.newText' : 'voices.wizard.getText')}
      </Button>
      {isReading && (
        <Button variant="primary" iconAfter={ArrowRight} onPress={() => onLook(null)}>
          {t('voices.wizard.next')}
        </Button>
      )}
    </>,
  );
}

/** The voice is ready. Closing this step deletes the draft, because everything is at the service. */
function ReadyStep({ clone, frame, onClose, onUse, onEdit }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  const [isEnding, setIsEnding] = useState(false);
  const { draft } = clone;
  const voiceId = draft?.voiceId ?? '';
  const name = draft?.details.name.trim() ?? '';
  const voice: SpeechVoice = {
    id: voiceId,
    name,
    languages: [draft?.language ?? 'uz'],
    gender: null,
    isOwn: true,
    description: null,
    palette: draft?.details.palette ?? null,
  };
  const sample = sampleFor(voice);
  const wasHeard = useIsHeard(sample);
  const score = draft?.score ?? null;
  const end = async (then: () => void) => {
    setIsEnding(true);
    await clone.discard();
    onClose();
    then();
  };
  return frame(
    <div className={css['ready']}>
      <Orb size="xl" look={draft?.details.palette ?? 'calm'} />
      <div>
        <h3>{t('voices.wizard.readyTitle', { name })}</h3>
        <p className={css['lead']}>{t('voices.wizard.readyText')}</p>
      </div>
      {score !== null && (
        <p className="caption subtle">
          {t('voices.wizard.match')}:{' '}
          {t('voices.wizard.score', {
            score: formats.fixed(score, 2),
            least: formats.fixed(cloneRules.leastScore, 2),
          })}
          . {t(`voices.wizard.scores.${judgeScore(score)}`)}
        </p>
      )}
      <div className={css['sample']}>
        <span className="fill" lang={sample.language}>
          {sample.text}
        </span>
        <ListenButton preview={sample}>{t('voices.wizard.hear')}</ListenButton>
      </div>
      {!modeOf(mode).isFree && !wasHeard && (
        <p className="caption subtle">{t('voices.costHint', { count: Array.from(sample.text).length })}</p>
      )}
    </div>,

    <>
      <Button variant="ghost" isDisabled={isEnding} onPress={() => void end(() => onEdit(voice))}>
        {t('voices.wizard.editDetails')}
      </Button>
      <span className={css['footNote']} />
      <Button isLoading={isEnding} onPress={() => void end(() => undefined)}>
        {t('voices.wizard.done')}
      </Button>
      <Button variant="primary" icon={AudioLines} isDisabled={isEnding} onPress={() => void end(() => onUse(voice))}>
        {t('voices.useInSpeak')}
      </Button>
    </>,
  );
}

/** What the service recognised, corrected by the user; after that it can't be changed. */
function TranscriptStep({ clone, frame, onLook }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const id = useId();
  const { mode } = useSettings();
  const { draft } = clone;
  const { kept } = useKept(draft?.referenceUrl, draft?.reference);
  const waitMs = useWait(clone);
  const isApproved = draft?.step !== 'transcript';
  const text = draft?.transcript ?? '';
  const hasPlaceholder = modeOf(mode).isPractice && !isApproved && placeholder.test(text);
  const approve = async () => {
    if (isApproved) onLook(null);
    else if ((await clone.send('approve')) !== null) onLook(null);
  };
  return frame(
    <>
      <div>
        <h3>{t('voices.wizard.textTitle')}</h3>
        <p className={css['lead']}>{t(isApproved ? 'voices.wizard.approved' : 'voices.wizard.textText')}</p>
      </div>
      {kept !== null && (
        <div className="row gap-14 thin">
          <PlayKept kept={kept} />
          <KeptBars kept={kept} />
          <span className="caption subtle">{formats.clock(kept.durationMs)}</span>
        </div>
      )}
      <label htmlFor={id} className={css['label']}>
        {t('voices.wizard.text')}
      </label>
      <textarea
        id={id}
        lang={draft?.language}
        className={css['text']}
        value={text}
        readOnly={isApproved}
        onChange={({ target }) => clone.change({ transcript: target.value })}
      />
      <div className={css['underText']}>
        <span>
          {text.trim() === ''
            ? t('voices.wizard.empty')
            : t('voices.wizard.characters', {
                written: formats.number(Array.from(text).length),
                most: formats.number(cloneRules.transcriptCharacters),
              })}
        </span>
        <DraftSaved saving={clone.saving} />
      </div>
      {modeOf(mode).isPractice && !isApproved && (
        <Banner tone={hasPlaceholder ? 'warn' : 'neutral'} icon={Info} title={t('voices.wizard.practiceText')} />
      )}
      {clone.capabilities?.eligible === false && (
        <Banner icon={Info} title={t('voices.wizard.free')}>
          {t('voices.wizard.plan')}
        </Banner>
      )}
      <CloneFailure clone={clone} />
    </>,

    <>
      <Button variant="ghost" isDisabled={clone.sending !== null} onPress={() => onLook('record')}>
        {t('voices.wizard.back')}
      </Button>
      <span className={css['footNote']}>
        <Sending clone={clone} />
      </span>
      <Button
        variant="primary"
        iconAfter={ArrowRight}
        isLoading={clone.sending !== null}
        isDisabled={!isTranscriptFit(text) || hasPlaceholder || waitMs > 0}
        onPress={() => void approve()}
      >
        {t(isApproved ? 'voices.wizard.next' : 'voices.wizard.textRight')}
      </Button>
    </>,
  );
}

function DraftSaved({ saving }: { readonly saving: StepProps['clone']['saving'] }) {
  const t = useText();
  const words = useFailureText();
  if (saving === 'saving') return <span>{t('voices.wizard.saving')}</span>;
  if (saving !== 'saved')
    return (
      <span role="alert" className={css['bad']}>
        <CircleAlert aria-hidden size={14} strokeWidth={1.75} /> {t('voices.wizard.draftNotSaved')}:{' '}
        {words(saving).title}
      </span>
    );
  return (
    <span className="inline gap-6">
      <Check aria-hidden size={14} strokeWidth={1.75} /> {t('voices.wizard.draftSaved')}
    </span>
  );
}
