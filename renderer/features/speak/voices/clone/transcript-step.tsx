import { ArrowRight, Check, CircleAlert, Info } from 'lucide-react';
import { useId } from 'react';
import { cloneRules, isTranscriptFit } from '../../../../../shared/domain/voices/clone-rules.ts';
import { modeOf } from '../../../../../shared/domain/modes.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Sending, CloneFailure, useWait } from './clone-failure.tsx';
import css from './clone-wizard.module.css';
import recorderCss from './recorder.module.css';
import type { StepProps } from './use-clone.ts';
import { KeptBars, PlayKept } from './recorder-card.tsx';
import { useVoiceAudio } from './use-voice-audio.ts';

/** What practice mode writes instead of the words it does not recognise. */
const placeholder = /\((?:speech|речь|nutq), \d+ [sс]\)/u;

/** What the service recognised, corrected by the user; after that it can't be changed. */
export function TranscriptStep({ clone, frame, onLook }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const id = useId();
  const { mode } = useSettings();
  const { draft } = clone;
  const url = draft?.referenceUrl ?? null;
  const audio = useVoiceAudio(url);
  const waitMs = useWait(clone);
  const isApproved = draft?.step !== 'transcript';
  const text = draft?.transcript ?? '';
  const hasPlaceholder = modeOf(mode).isPractice && !isApproved && placeholder.test(text);
  const approve = async () => {
    if (isApproved) onLook(null);
    else if ((await clone.send('approve')) !== null) onLook(null);
  };
  return frame({
    body: (
      <>
        <div>
          <h3>{t('voices.wizard.textTitle')}</h3>
          <p className={css['lead']}>{t(isApproved ? 'voices.wizard.approved' : 'voices.wizard.textText')}</p>
        </div>
        {url !== null && draft?.reference != null && (
          <div className={recorderCss['recorderRow']}>
            <PlayKept kept={{ url, durationMs: draft.reference.durationMs, bars: null }} />
            <div className={recorderCss['wave']}>
              <KeptBars
                kept={{
                  url,
                  durationMs: draft.reference.durationMs,
                  bars: audio === null || typeof audio === 'string' ? null : audio.bars,
                }}
              />
            </div>
            <span className={css['hint']}>{formats.clock(draft.reference.durationMs)}</span>
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
          onChange={({ target }) => {
            clone.change({ transcript: target.value });
          }}
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
      </>
    ),
    footer: (
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
      </>
    ),
  });
}

/** Whether what was typed is on the disk. */
export function DraftSaved({ saving }: { readonly saving: StepProps['clone']['saving'] }) {
  const t = useText();
  const words = useFailureWords();
  if (saving === 'saving') return <span>{t('voices.wizard.saving')}</span>;
  if (saving !== 'saved')
    return (
      <span role="alert" className={css['bad']}>
        <CircleAlert aria-hidden size={14} strokeWidth={1.75} /> {t('voices.wizard.draftNotSaved')}:{' '}
        {words(saving).title}
      </span>
    );
  return (
    <span className={css['savedMark']}>
      <Check aria-hidden size={14} strokeWidth={1.75} /> {t('voices.wizard.draftSaved')}
    </span>
  );
}
